import fc from "fast-check";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { readRequests } from "../../../src/account/sheets/plan_sheet.ts";
import { SheetProblemsError } from "../../../src/account/sheets/sheet_problems_error.ts";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../../src/account/tables/csv_lines.ts";
import { deepEqual } from "../../support/assert.ts";
import { BULK_HEADS, BULK_LANGUAGES } from "./dialect_words.ts";

/** A row that is known before it is written. */
interface KnownRow {
  readonly id: string;
  readonly bid: number;
  readonly text: string;
}

/** Amounts in a form, as a spreadsheet of a country writes them. */
const AMOUNTS: readonly ((bid: number) => string)[] = [
  (bid) => bid.toFixed(2),
  (bid) => bid.toFixed(2).replace(".", ","),
  (bid) => `${bid.toFixed(2).replace(".", ",").replace(/\B(?=(\d{3})+,)/g, ".")} €`,
  (bid) => `€${bid.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`,
  (bid) => `${bid.toFixed(2)} EUR`,
];

const ROW: fc.Arbitrary<KnownRow> = fc.record({
  id: fc.bigInt({ min: 10n ** 14n, max: 10n ** 19n - 1n }).map(String),
  bid: fc.integer({ min: 2, max: 500_000 }).map((cents) => cents / 100),
  text: fc.string({ unit: fc.constantFrom(..."abc é日ñ5-'&,;|\"".split("")), minLength: 1, maxLength: 12 })
    .map((text) => `a${text}`.trim()),
});

/** A way to write a table. */
const DIALECT = fc.record({
  language: fc.constantFrom(...BULK_LANGUAGES),
  amount: fc.constantFrom(...AMOUNTS),
  format: fc.constantFrom("csv", "xlsx"),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  newline: fc.constantFrom("\n", "\r\n"),
  encoding: fc.constantFrom("utf-8", "utf-8 with mark", "utf-16"),
  /** Whether ids that a float holds exactly are written as pandas writes them. */
  hasFloatIds: fc.boolean(),
  /** Names of groups of columns above the head, in merged cells. */
  hasMergedHead: fc.boolean(),
  titles: fc.array(fc.constantFrom("Upload of the week", "Made by A", ""), { maxLength: 3 }),
  hasSepLine: fc.boolean(),
  isProtected: fc.boolean(),
  order: fc.shuffledSubarray([...BULK_HEADS.keys()], { minLength: BULK_HEADS.length }),
  added: fc.array(fc.constantFrom("My note", "Score"), { maxLength: 1 }),
  otherTab: fc.constantFrom<"none" | "before" | "behind" | "hidden">("none", "before", "behind", "hidden"),
});

type Dialect = typeof DIALECT extends fc.Arbitrary<infer Value> ? Value : never;

/** A cell that a program has broken, or none. */
const BROKEN = fc.constantFrom(
  undefined,
  undefined,
  { header: "Bid", text: "#N/A" },
  { header: "Bid", text: "about one" },
  { header: "Keyword Id", text: "1.86309E+14" },
  { header: "Keyword Id", text: "9223433389067420740.0" },
  { header: "Keyword Text", text: "#REF!" },
  { header: "Bid", text: "#WERT!" },
  { header: "Operation", text: "Chnge" },
  { header: "State", text: "sleepy" },
);

function written(
  rows: readonly KnownRow[],
  dialect: Dialect,
  broken: { header: string; text: string } | undefined,
): { bytes: Uint8Array; first: number } {
  const { language: { heads, words }, order, added, isProtected, titles, format } = dialect;
  const [update = "", keyword = "", enabled = "", exact = "", product = ""] = words;
  const lines = rows.map(({ id, bid, text }, at) => {
    const cells: Record<string, string> = {
      "Product": product,
      "Entity": keyword,
      "Operation": update,
      "Campaign Id": "111111111111111",
      "Ad Group Id": "222222222222222",
      "Keyword Id": isProtected && format === "csv"
        ? `="${id}"`
        : dialect.hasFloatIds && BigInt(id) <= Number.MAX_SAFE_INTEGER
        ? `${id}.0`
        : id,
      "State": enabled,
      "Bid": dialect.amount(bid),
      "Keyword Text": text,
      "Match Type": exact,
    };
    if (broken !== undefined && at === rows.length - 1) cells[broken.header] = broken.text;
    return [...order.map((column) => cells[BULK_HEADS[column]!] ?? ""), ...added.map(() => "x")];
  });
  const head = [...order.map((column) => heads[column]!), ...added];
  const groups = head.map((_, at) => at === 0 ? "Keyword" : at === 6 ? "Settings" : "");
  const above = [...titles.map((title) => [title]), ...dialect.hasMergedHead ? [groups] : []];
  const all = [...above, head, ...lines];
  const first = above.length + 2;
  if (format === "xlsx") {
    const tab = { name: "Sponsored Products Campaigns", lines: all };
    const other = { name: "Pivot", lines: [["Row Labels", "Sum of Spend"], ["pan", 63]] };
    const { otherTab } = dialect;
    // A hidden tab with an old version of the table, which must not be read.
    const hidden = { name: "Old", lines: [head, ...lines] };
    const tabs = { none: [tab], before: [other, tab], behind: [tab, other], hidden: [hidden, tab] }[otherTab];
    const bytes = writeXlsxTabs(tabs);
    return { bytes: otherTab === "hidden" ? withHidden(bytes, "Old") : bytes, first };
  }
  const { delimiter, newline } = dialect;
  // A protected text must not get an apostrophe.
  const text = csvOf(all, { delimiter, newline }).replaceAll(`'=""`, `=""`).replaceAll(`'="`, `="`);
  const whole = dialect.hasSepLine ? `sep=${delimiter}${newline}${text}` : text;
  return { bytes: encoded(whole, dialect.encoding), first };
}

/** The workbook with one of its tabs hidden. */
function withHidden(bytes: Uint8Array, name: string): Uint8Array {
  const parts = unzipSync(bytes);
  const path = "xl/workbook.xml";
  const workbook = strFromU8(parts[path] ?? new Uint8Array());
  parts[path] = strToU8(workbook.replace(`<sheet name="${name}"`, `<sheet name="${name}" state="hidden"`));
  return zipSync(parts);
}

function encoded(text: string, encoding: string): Uint8Array {
  if (encoding !== "utf-16") return new TextEncoder().encode(encoding === "utf-8" ? text : `\uFEFF${text}`);
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at + 2, text.charCodeAt(at), true);
  return bytes;
}

/** Writes a known table in random dialects and reads it again: the same, or refused with the cell that was broken. */
export async function checkDialects(numRuns: number, seed = 20261129): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(ROW, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
      DIALECT,
      BROKEN,
      async (rows, dialect, broken) => {
        const { bytes, first } = written(rows, dialect, broken);
        const read = readRequests({ bytes, name: "table" }, { skipBadRows: false, countryCode: "DE" });
        if (broken !== undefined) {
          const error = await read.then(() => undefined, (error) => error);
          if (!(error instanceof SheetProblemsError)) throw error ?? new Error("it was read");
          deepEqual(error.problems.map(({ row, header }) => ({ row, header })), [
            { row: first + rows.length - 1, header: broken.header },
          ]);
          return;
        }
        const { requests } = await read;
        deepEqual(
          requests.map(({ op, id, fields }) => ({ op, id, bid: fields["bid"], text: fields["keywordText"] })),
          rows.map(({ id, bid, text }) => ({ op: "update", id, bid, text })),
        );
      },
    ),
    { numRuns, seed },
  );
}
