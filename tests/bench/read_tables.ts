import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";
import { bulkRows, csvBytes, xlsxBytes } from "./support/many_rows.ts";
import type { ParseFigures } from "./support/parse_process.ts";

const SIZES = [20_000, 200_000];
const SEEDS = [1, 2];
/** Ways that are measured, with the plainest code that does the same. */
const WAYS: Readonly<Record<string, { readonly verb: string; readonly plain?: string }>> = {
  ours: { verb: "read", plain: "plain" },
  plan: { verb: "read the requests of" },
  import: { verb: "import", plain: "store" },
};

/**
 * Reads bulk sheets of 20,000 and 200,000 rows, each in a process of its own: memory must not grow with the rows, beyond
 * what V8 leaves to garbage. `tests/account/tables/memory_test.ts` compares what is held.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    const lines: BenchLine[] = [];
    for (const format of ["xlsx", "csv"]) {
      for (const size of SIZES) {
        const figures: Record<string, ParseFigures[]> = {
          ours: [],
          plain: [],
          plan: [],
          import: [],
          store: [],
        };
        for (const seed of SEEDS) {
          const path = `${folder.path}/${size}-${seed}.${format}`;
          await Deno.writeFile(
            path,
            format === "csv" ? csvBytes(bulkRows(size, seed)) : xlsxBytes(bulkRows(size, seed)),
          );
          for (const [way, list] of Object.entries(figures)) list.push(await measure(way, path));
          await Deno.remove(path);
        }
        if (Object.values(figures).flat().some(({ rows }) => rows !== size)) {
          throw new Error("Rows went missing");
        }
        const ms = (way: string): number => median(figures[way]!.map((one) => one.ms));
        const peak = (way: string): number => Math.max(...figures[way]!.map((one) => one.peakMb));
        for (const [way, { verb, plain }] of Object.entries(WAYS)) {
          const name = `${verb} a bulk sheet of ${size.toLocaleString("en-US")} rows, ${format}`;
          const against = (value: (way: string) => number): { baseline?: number } =>
            plain === undefined ? {} : { baseline: value(plain) };
          lines.push(
            benchLine(`${name}, processor time`, ms(way), { unit: "ms", ...against(ms) }),
            benchLine(`${name}, peak memory above the file`, peak(way), { unit: "MB", ...against(peak) }),
          );
        }
      }
    }
    return lines;
  } finally {
    await folder.remove();
  }
}

async function measure(way: string, path: string): Promise<ParseFigures> {
  const script = new URL("./support/table_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", script, way, path];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
