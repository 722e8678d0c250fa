import { writeXlsxTabs } from "../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../src/account/tables/csv_lines.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";
import type { ParseFigures } from "./support/parse_process.ts";

const SIZES = [20_000, 200_000];
const ROUNDS = 3;
const HEAD =
  "Product|Entity|Operation|Campaign ID|Ad Group ID|Keyword ID|State|Bid|Keyword Text|Match Type|Impressions|Clicks|Spend|Sales"
    .split("|");

/** Reads bulk sheets of 20,000 and 200,000 rows, against the plainest reader: memory must not grow with the rows. */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    const lines: BenchLine[] = [];
    for (const format of ["xlsx", "csv"]) {
      for (const size of SIZES) {
        const path = `${folder.path}/${size}.${format}`;
        await Deno.writeFile(path, format === "csv" ? csvBytes(size) : xlsxBytes(size));
        const figures: Record<string, ParseFigures[]> = { ours: [], plain: [] };
        for (let round = 0; round < ROUNDS; round++) {
          for (const [way, list] of Object.entries(figures)) list.push(await measure(way, path));
        }
        if (Object.values(figures).flat().some(({ rows }) => rows !== size)) {
          throw new Error("Rows went missing");
        }
        const ms = (way: string): number => median(figures[way]!.map((one) => one.ms));
        const peak = (way: string): number => Math.max(...figures[way]!.map((one) => one.peakMb));
        const name = `read ${size.toLocaleString("en-US")} rows of a bulk sheet, ${format}`;
        lines.push(
          benchLine(name, ms("ours"), { unit: "ms", baseline: ms("plain") }),
          benchLine(`${name}, peak memory above the file`, peak("ours"), {
            unit: "MB",
            baseline: peak("plain"),
          }),
        );
      }
    }
    return lines;
  } finally {
    await folder.remove();
  }
}

function* rows(size: number): Generator<(string | number)[]> {
  yield HEAD;
  for (let at = 0; at < size; at++) {
    const id = String(100_000_000_000_000 + at);
    const place: (string | number)[] = [
      "Sponsored Products",
      "Keyword",
      "",
      "111111111111111",
      "222222222222222",
    ];
    yield [...place, id, "enabled", 0.75, `keyword ${at}`, "exact", 100, 3, 1.5, 12];
  }
}

function xlsxBytes(size: number): Uint8Array {
  return writeXlsxTabs([{ name: "Sponsored Products Campaigns", lines: rows(size) }]);
}

function csvBytes(size: number): Uint8Array {
  return new TextEncoder().encode(csvOf(Array.from(rows(size), (cells) => cells.map(String))));
}

async function measure(way: string, path: string): Promise<ParseFigures> {
  const script = new URL("./support/table_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", "--no-check", script, way, path];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
