import { longFile } from "../../support/long.ts";
import type { ParseFigures } from "../../bench/support/parse_process.ts";
import { bulkRows, csvBytes, reportRows, xlsxBytes } from "../../bench/support/many_rows.ts";
import { deepEqual, ok } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

longFile();

const [FEW, MANY] = [6_000, 60_000];
/** Megabytes by which ten times the rows may need more: what holds the rows needs 44 and more. */
const MAX_GROWTH = 35;
/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=64";

const WORDS = { ours: "reading", import: "importing" } as const;

/** What is read, and how: see `table_process.ts`. */
const CASES: readonly (readonly [
  file: string,
  ways: readonly (keyof typeof WORDS)[],
  bytes: (size: number) => Uint8Array,
])[] = [
  ["bulk.xlsx", ["ours"], (size) => xlsxBytes(bulkRows(size, 1))],
  ["bulk.csv", ["ours", "import"], (size) => csvBytes(bulkRows(size, 1))],
  ["report.xlsx", ["import"], (size) => xlsxBytes(reportRows(size, 1))],
];

for (const [file, ways, bytes] of CASES) {
  Deno.test({
    name: `${ways.map((way) => WORDS[way]).join(" or ")} ${file} needs no more memory for ten times the rows`,
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      await using folder = await temporaryFolder();
      const [few, many] = [folder.file(`few_${file}`), folder.file(`many_${file}`)];
      await Deno.writeFile(few, bytes(FEW));
      await Deno.writeFile(many, bytes(MANY));
      for (const way of ways) {
        const less = await measured(way, few);
        const more = await measured(way, many);
        deepEqual([less.rows, more.rows], [FEW, MANY]);
        ok(
          more.peakMb - less.peakMb < MAX_GROWTH,
          `${WORDS[way]}: ${less.peakMb.toFixed(0)} MB for ${FEW} rows, ${
            more.peakMb.toFixed(0)
          } MB for ${MANY}`,
        );
      }
    },
  });
}

async function measured(way: string, path: string): Promise<ParseFigures> {
  const script = new URL("../../bench/support/table_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", FLAGS, script, way, path];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  // What holds the rows ends here, since V8 has no room for them.
  ok(success, new TextDecoder().decode(stderr).slice(-2000));
  return JSON.parse(new TextDecoder().decode(stdout));
}
