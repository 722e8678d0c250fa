import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../../src/account/tables/csv_lines.ts";
import { SeededRandom } from "../../support/seeded_random.ts";

const BULK_HEAD =
  "Product|Entity|Operation|Campaign ID|Ad Group ID|Keyword ID|State|Bid|Keyword Text|Match Type|Impressions|Clicks|Spend|Sales"
    .split("|");
const REPORT_HEAD =
  "Date|Campaign Name|Ad Group Name|Targeting|Match Type|Customer Search Term|Impressions|Clicks|Spend|7 Day Total Sales|7 Day Total Orders (#)"
    .split("|");

type Cell = string | number;

/** A bulk sheet of one campaign with keywords; `operation` is that of each keyword. */
export function* bulkRows(size: number, seed: number, operation = ""): Generator<Cell[]> {
  const { whole, text } = drawn(seed);
  yield BULK_HEAD;
  const [product, campaign, group] = ["Sponsored Products", "111111111111111", "222222222222222"];
  yield [product, "Campaign", "", campaign, "", "", "enabled", "", "", "", 100, 3, 1.5, 12];
  for (let at = 1; at < size; at++) {
    const id = String(100_000_000_000_000 + at);
    const figures = [whole(10_000), whole(100), whole(10_000) / 100, whole(100_000) / 100];
    const bid = (whole(300) + 2) / 100;
    yield [product, "Keyword", operation, campaign, group, id, "enabled", bid, text(at), "exact", ...figures];
  }
}

/** Search terms of 28 days. */
export function* reportRows(size: number, seed: number): Generator<Cell[]> {
  const { whole, text } = drawn(seed);
  yield REPORT_HEAD;
  for (let at = 0; at < size; at++) {
    const day = `2026-09-${String(at % 28 + 1).padStart(2, "0")}`;
    const figures = [whole(10_000), whole(100), whole(10_000) / 100, whole(100_000) / 100, whole(9)];
    yield [
      day,
      `Campaign ${at % 40}`,
      `Group ${at % 300}`,
      `keyword ${at % 5000}`,
      "exact",
      text(at),
      ...figures,
    ];
  }
}

function drawn(seed: number): { whole(limit: number): number; text(at: number): string } {
  const random = new SeededRandom(seed);
  const whole = (limit: number): number => random.integer(0, limit - 1);
  return {
    whole,
    text: (at) => `keyword ${whole(1e9).toString(36)} ${"long tail ".repeat(whole(4))}${at}`,
  };
}

export function csvBytes(rows: Iterable<readonly Cell[]>): Uint8Array {
  return new TextEncoder().encode(csvOf(Array.from(rows, (cells) => cells.map(String))));
}

/** A workbook as spreadsheet programs save it: each text once, in a table that the cells refer to. */
export function xlsxBytes(rows: Iterable<readonly Cell[]>): Uint8Array {
  const parts = unzipSync(writeXlsxTabs([{ name: "Sponsored Products Campaigns", lines: rows }]));
  const path = "xl/worksheets/sheet1.xml";
  const numbers = new Map<string, number>();
  const sheet = strFromU8(parts[path] ?? new Uint8Array()).replace(
    /<c([^>]*?) t="inlineStr"([^>]*)><is><t[^>]*>([^<]*)<\/t><\/is><\/c>/g,
    (_, before: string, after: string, text: string) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return `<c${before} t="s"${after}><v>${number}</v></c>`;
    },
  );
  const texts = Array.from(numbers.keys(), (text) => `<si><t xml:space="preserve">${text}</t></si>`).join("");
  return zipSync({
    ...parts,
    [path]: strToU8(sheet),
    "xl/sharedStrings.xml": strToU8(`<sst>${texts}</sst>`),
  });
}
