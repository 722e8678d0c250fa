import { longFile } from "../../support/long.ts";
import type { ParseFigures } from "../../bench/support/parse_process.ts";
import { bulkRows, csvBytes, reportRows, xlsxBytes } from "../../bench/support/many_rows.ts";
import { equal, ok } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

longFile();

const [FEW, MANY] = [20_000, 200_000];
/** Megabytes by which ten times the rows may need more: what holds the rows needs 100 and more. */
const MAX_GROWTH = 40;
/** V8 leaves garbage as long as there is room: with little room, the peak is what is held. */
const FLAGS = "--v8-flags=--max-semi-space-size=2,--max-old-space-size=64";

/** What is read, and how: see `table_process.ts`. */
const CASES: readonly (readonly [way: string, file: string, bytes: (size: number) => Uint8Array])[] = [
  ["ours", "bulk.xlsx", (size) => xlsxBytes(bulkRows(size, 1))],
  ["ours", "bulk.csv", (size) => csvBytes(bulkRows(size, 1))],
  ["import", "bulk.csv", (size) => csvBytes(bulkRows(size, 1))],
  ["import", "report.xlsx", (size) => xlsxBytes(reportRows(size, 1))],
];

for (const [way, file, bytes] of CASES) {
  Deno.test({
    name: `${way === "ours" ? "reading" : "importing"} ${file} needs no more memory for ten times the rows`,
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      const folder = await temporaryFolder();
      try {
        const peaks: number[] = [];
        for (const size of [FEW, MANY]) {
          const path = `${folder.path}/${file}`;
          await Deno.writeFile(path, bytes(size));
          const { rows, peakMb } = await measured(way, path);
          equal(rows, size);
          peaks.push(peakMb);
        }
        const [few = 0, many = 0] = peaks;
        ok(
          many - few < MAX_GROWTH,
          `${few.toFixed(0)} MB for ${FEW} rows, ${many.toFixed(0)} MB for ${MANY}`,
        );
      } finally {
        await folder.remove();
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
