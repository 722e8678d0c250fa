import fc from "fast-check";
import { readRequests } from "../../../src/account/sheets/plan_sheet.ts";
import { SheetProblemsError } from "../../../src/account/sheets/sheet_problems_error.ts";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../../src/account/tables/csv_lines.ts";
import { deepEqual } from "../../support/assert.ts";

/** A row that is known before it is written. */
interface KnownRow {
  readonly id: string;
  readonly bid: number;
  readonly text: string;
}

/** Heads and words of a language, as its sheets have them. */
interface Language {
  readonly heads: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
}

const HEADS = [
  "Product",
  "Entity",
  "Operation",
  "Campaign Id",
  "Ad Group Id",
  "Keyword Id",
  "State",
  "Bid",
  "Keyword Text",
  "Match Type",
];

const LANGUAGES: readonly Language[] = [
  { heads: {}, words: {} },
  {
    heads: { "Keyword Id": "Keyword ID (Read only)", "Campaign Id": "CAMPAIGN ID" },
    words: { Update: "update" },
  },
  {
    heads: {
      "Product": "Produkt",
      "Entity": "Entität",
      "Keyword Id": "Keyword-ID",
      "Bid": "Gebot",
      "State": "Zustand",
    },
    words: { Update: "Aktualisieren", enabled: "Aktiviert", exact: "Genau Passend" },
  },
  {
    heads: { "Entity": "实体层级", "Operation": "操作", "Bid": "竞价", "Keyword Id": "关键词编号" },
    words: { Keyword: "关键词", Update: "更新", enabled: "已启用", exact: "精准" },
  },
  { heads: {}, words: { Update: "Mettre à jour" } },
  { heads: {}, words: { Update: "Güncelle" } },
  { heads: {}, words: { Update: "تحديث" } },
];

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
  language: fc.constantFrom(...LANGUAGES),
  amount: fc.constantFrom(...AMOUNTS),
  format: fc.constantFrom("csv", "xlsx"),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  newline: fc.constantFrom("\n", "\r\n"),
  encoding: fc.constantFrom("utf-8", "utf-8 with mark", "utf-16"),
  titles: fc.array(fc.constantFrom("Upload of the week", "Made by A", ""), { maxLength: 3 }),
  hasSepLine: fc.boolean(),
  isProtected: fc.boolean(),
  order: fc.shuffledSubarray([...HEADS.keys()], { minLength: HEADS.length }),
  added: fc.array(fc.constantFrom("My note", "Score"), { maxLength: 1 }),
  otherTab: fc.constantFrom("none", "before", "behind"),
});

type Dialect = typeof DIALECT extends fc.Arbitrary<infer Value> ? Value : never;

/** A cell that a program has broken, or none. */
const BROKEN = fc.constantFrom(
  undefined,
  undefined,
  { header: "Bid", text: "#N/A" },
  { header: "Bid", text: "about one" },
  { header: "Keyword Id", text: "1.86309E+14" },
  { header: "Operation", text: "Chnge" },
  { header: "State", text: "sleepy" },
);

function written(
  rows: readonly KnownRow[],
  dialect: Dialect,
  broken: { header: string; text: string } | undefined,
): { bytes: Uint8Array; first: number } {
  const { language: { heads, words }, order, added, isProtected, titles, format } = dialect;
  const word = (text: string): string => words[text] ?? text;
  const lines = rows.map(({ id, bid, text }, at) => {
    const cells: Record<string, string> = {
      "Product": "Sponsored Products",
      "Entity": word("Keyword"),
      "Operation": word("Update"),
      "Campaign Id": "111111111111111",
      "Ad Group Id": "222222222222222",
      "Keyword Id": isProtected && format === "csv" ? `="${id}"` : id,
      "State": word("enabled"),
      "Bid": dialect.amount(bid),
      "Keyword Text": text,
      "Match Type": word("exact"),
    };
    if (broken !== undefined && at === rows.length - 1) cells[broken.header] = broken.text;
    return [...order.map((column) => cells[HEADS[column]!] ?? ""), ...added.map(() => "x")];
  });
  const head = [...order.map((column) => heads[HEADS[column]!] ?? HEADS[column]!), ...added];
  const above = titles.map((title) => [title]);
  const all = [...above, head, ...lines];
  const first = above.length + 2;
  if (format === "xlsx") {
    const tab = { name: "Sponsored Products Campaigns", lines: all };
    const other = { name: "Pivot", lines: [["Row Labels", "Sum of Spend"], ["pan", 63]] };
    const { otherTab } = dialect;
    return {
      bytes: writeXlsxTabs(otherTab === "none" ? [tab] : otherTab === "before" ? [other, tab] : [tab, other]),
      first,
    };
  }
  const { delimiter, newline } = dialect;
  // A protected text must not get an apostrophe.
  const text = csvOf(all, { delimiter, newline }).replaceAll(`'=""`, `=""`).replaceAll(`'="`, `="`);
  const whole = dialect.hasSepLine ? `sep=${delimiter}${newline}${text}` : text;
  return { bytes: encoded(whole, dialect.encoding), first };
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
export async function checkDialects(numRuns: number): Promise<void> {
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
    { numRuns, seed: 20261129 },
  );
}
