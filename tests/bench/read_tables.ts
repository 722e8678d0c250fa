import { writeXlsxTabs } from "../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../src/account/tables/csv_lines.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";
import type { ParseFigures } from "./support/parse_process.ts";

const SIZES = [20_000, 200_000];
const SEEDS = [1, 2];
const HEAD =
  "Product|Entity|Operation|Campaign ID|Ad Group ID|Keyword ID|State|Bid|Keyword Text|Match Type|Impressions|Clicks|Spend|Sales"
    .split("|");

/** What is measured: the reader against the plainest one, and the two commands that read bulk sheets. */
const WAYS: Readonly<Record<string, string>> = {
  ours: "read",
  plan: "read the requests of",
  import: "import",
};

/**
 * Reads bulk sheets of 20,000 and 200,000 rows, each in a process of its own: memory must not grow with the rows. An import
 * keeps the entities until they are stored, so its memory grows with the account.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    const lines: BenchLine[] = [];
    for (const format of ["xlsx", "csv"]) {
      for (const size of SIZES) {
        const figures: Record<string, ParseFigures[]> = { ours: [], plain: [], plan: [], import: [] };
        for (const seed of SEEDS) {
          const path = `${folder.path}/${size}-${seed}.${format}`;
          await Deno.writeFile(path, format === "csv" ? csvBytes(size, seed) : xlsxBytes(size, seed));
          for (const [way, list] of Object.entries(figures)) list.push(await measure(way, path));
          await Deno.remove(path);
        }
        if (Object.values(figures).flat().some(({ rows }) => rows !== size)) {
          throw new Error("Rows went missing");
        }
        const ms = (way: string): number => median(figures[way]!.map((one) => one.ms));
        const peak = (way: string): number => Math.max(...figures[way]!.map((one) => one.peakMb));
        for (const [way, verb] of Object.entries(WAYS)) {
          const name = `${verb} a bulk sheet of ${size.toLocaleString("en-US")} rows, ${format}`;
          const against = (value: (way: string) => number): { baseline?: number } =>
            way === "ours" ? { baseline: value("plain") } : {};
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

function* rows(size: number, seed: number): Generator<(string | number)[]> {
  const random = new SeededRandom(seed);
  const whole = (limit: number): number => random.integer(0, limit - 1);
  yield HEAD;
  const [product, campaign, group] = ["Sponsored Products", "111111111111111", "222222222222222"];
  yield [product, "Campaign", "", campaign, "", "", "enabled", "", "", "", 100, 3, 1.5, 12];
  for (let at = 1; at < size; at++) {
    const id = String(100_000_000_000_000 + at);
    const text = `keyword ${whole(1e9).toString(36)} ${"long tail ".repeat(whole(4))}${at}`;
    const figures = [whole(10_000), whole(100), whole(10_000) / 100, whole(100_000) / 100];
    const bid = (whole(300) + 2) / 100;
    yield [product, "Keyword", "", campaign, group, id, "enabled", bid, text, "exact", ...figures];
  }
}

function xlsxBytes(size: number, seed: number): Uint8Array {
  return writeXlsxTabs([{ name: "Sponsored Products Campaigns", lines: rows(size, seed) }]);
}

function csvBytes(size: number, seed: number): Uint8Array {
  return new TextEncoder().encode(csvOf(Array.from(rows(size, seed), (cells) => cells.map(String))));
}

async function measure(way: string, path: string): Promise<ParseFigures> {
  const script = new URL("./support/table_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", script, way, path];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
