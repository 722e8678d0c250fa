import fc from "fast-check";
import { openFile } from "../../../src/account/imports/open_file.ts";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { csvOf } from "../../../src/account/tables/csv_lines.ts";
import { deepEqual } from "../../support/assert.ts";
import { REPORT_LANGUAGES } from "./dialect_words.ts";

/** A row that is known before it is written; amounts in hundredths. */
interface KnownRow {
  readonly term: string;
  readonly clicks: number;
  readonly cost: number;
  readonly sales: number;
  readonly orders: number;
}

const START = "2026-10-13";
const END = "2026-10-29";
const MONTHS: Readonly<Record<string, string>> = { en: "Oct", de: "Okt", es: "oct", it: "ott", ja: "Oct" };

/** Days as the console, spreadsheets of several countries and pandas write them; none can be read in two ways. */
const DAYS: readonly ((day: string, language: string) => string)[] = [
  (day) => day,
  (day) => `${day} 00:00:00`,
  (day) => day.replaceAll("-", ""),
  (day) => day.split("-").reverse().join("."),
  (day) => day.split("-").reverse().join("/"),
  (day) => `10/${day.slice(8)}/2026`,
  (day, language) => `${MONTHS[language]} ${day.slice(8)}, 2026`,
  (day) => `${day.slice(8)}-Oct-26`,
  (day) => String(Math.round((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000)),
];

const grouped = (digits: string, mark: string): string => digits.replace(/\B(?=(\d{3})+$)/g, mark);

/** An amount of hundredths with marks of its own. */
function amount(hundredths: number, [thousands, decimal]: readonly [string, string]): string {
  const whole = grouped(String(Math.floor(hundredths / 100)), thousands);
  return `${whole}${decimal}${String(hundredths % 100).padStart(2, "0")}`;
}

const FORMS: readonly (readonly [string, string])[] = [["", "."], [",", "."], ["", ","], [".", ","], [
  "\u202f",
  ",",
]];
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  CA: ["{}", "CA${}", "{} CAD"],
  DE: ["{}", "{} €", "€{}", "{}\u00a0EUR"],
  ES: ["{}", "{} €", "€{}"],
  IT: ["{}", "€ {}", "{} €"],
  JP: ["{}", "¥{}", "{}円"],
};

const ROW: fc.Arbitrary<KnownRow> = fc.record({
  term: fc.string({ unit: fc.constantFrom(..."pan é日ñ5-'&,;|\"".split("")), minLength: 1, maxLength: 10 })
    .map((text) => `a${text}`.trim()),
  clicks: fc.integer({ min: 1, max: 4000 }),
  cost: fc.integer({ min: 1, max: 900_000 }),
  sales: fc.integer({ min: 0, max: 9_000_000 }),
  orders: fc.integer({ min: 0, max: 300 }),
});

const DIALECT = fc.record({
  language: fc.constantFrom(...REPORT_LANGUAGES),
  form: fc.constantFrom(...FORMS),
  sign: fc.nat({ max: 3 }),
  day: fc.constantFrom(...DAYS),
  format: fc.constantFrom("csv", "xlsx"),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  newline: fc.constantFrom("\n", "\r\n"),
  titles: fc.array(fc.constantFrom("Search term report", "Made by A", ""), { maxLength: 3 }),
  hasSepLine: fc.boolean(),
  hasTotals: fc.boolean(),
  order: fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 }),
  added: fc.array(fc.constantFrom("My note", "Score"), { maxLength: 1 }),
  otherTab: fc.constantFrom<"none" | "before" | "behind">("none", "before", "behind"),
});

type Dialect = typeof DIALECT extends fc.Arbitrary<infer Value> ? Value : never;

/** Positions of heads. */
const [CLICKS, COST, TERM] = [8, 9, 6];

/** A cell that a program or a person has broken, or none. */
const BROKEN = fc.constantFrom(
  undefined,
  undefined,
  { at: COST, text: "#DIV/0!" },
  { at: COST, text: "free" },
  { at: COST, text: "15%" },
  { at: CLICKS, text: "1.2E+06" },
  { at: CLICKS, text: "#N/A" },
  { at: TERM, text: "#REF!" },
  { at: 0, text: "someday" },
);

function written(
  rows: readonly KnownRow[],
  dialect: Dialect,
  broken: { at: number; text: string } | undefined,
): { bytes: Uint8Array; first: number } {
  const { language: { language, heads, countryCode }, form, day, order, added, titles } = dialect;
  const signs = SIGNS[countryCode] ?? ["{}"];
  // Marks of a file that no cell of it decides would be asked for, so each file shows its marks in days or amounts.
  const money = (hundredths: number): string =>
    signs[dialect.sign % signs.length]!.replace("{}", amount(hundredths, form));
  const count = (number: number): string => grouped(String(number), form[0]);
  const cellsOf = (row: KnownRow): string[] => [
    ...[day(START, language), day(END, language), "Pans", "Exact", "iron pan", "EXACT", row.term],
    ...[count(row.clicks * 7), count(row.clicks), money(row.cost), money(row.sales), count(row.orders)],
  ];
  const lines = rows.map(cellsOf);
  if (broken !== undefined) lines.at(-1)![broken.at] = broken.text;
  const all: string[][] = lines.map((
    cells,
  ) => [...order.map((at) => cells[at] ?? ""), ...added.map(() => "x")]);
  const sum = (name: "clicks" | "cost" | "sales" | "orders"): number =>
    rows.reduce((before, row) => before + row[name], 0);
  if (dialect.hasTotals && broken === undefined) {
    const totals = ["", "", "", "", "", "", "", count(sum("clicks") * 7), count(sum("clicks"))];
    totals.push(money(sum("cost")), money(sum("sales")), count(sum("orders")));
    all.push([...order.map((at) => totals[at] ?? ""), ...added.map(() => "")]);
  }
  const head = [...order.map((at) => heads[at] ?? ""), ...added];
  const grid = [...titles.map((title) => [title]), head, ...all];
  const first = titles.length + 2;
  if (dialect.format === "xlsx") {
    const tab = { name: "Report", lines: grid };
    const other = { name: "Pivot", lines: [["Row Labels", "Sum of Spend"], ["pan", 63]] };
    const tabs = { none: [tab], before: [other, tab], behind: [tab, other] }[dialect.otherTab];
    return { bytes: writeXlsxTabs(tabs), first };
  }
  const { delimiter, newline } = dialect;
  const text = csvOf(grid, { delimiter, newline });
  return {
    bytes: new TextEncoder().encode(dialect.hasSepLine ? `sep=${delimiter}${newline}${text}` : text),
    first,
  };
}

/** Writes a known report in random dialects and reads it again: the same, or refused with the cell that was broken. */
export async function checkReportDialects(numRuns: number, seed = 20261129): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(ROW, { minLength: 1, maxLength: 5, selector: ({ term }) => term }),
      DIALECT,
      BROKEN,
      async (rows, dialect, broken) => {
        const { language: { countryCode, heads } } = dialect;
        const { bytes, first } = written(rows, dialect, broken);
        const file = { bytes, name: "sponsored products terms" };
        const opened = await openFile(file, { countryCode, product: "SP" });
        const { reports, problems } = opened;
        const [piece] = reports[0]?.read.pieces ?? [];
        const read = [...piece?.rows ?? []];
        opened.close();
        if (broken !== undefined) {
          deepEqual(problems.map(({ row, header }) => ({ row, header: header.trim() })), [
            { row: first + rows.length - 1, header: heads[broken.at]!.trim() },
          ]);
          return;
        }
        deepEqual(problems, []);
        deepEqual([piece?.start, piece?.end, reports[0]?.table.preset], [START, END, "sp_search_terms"]);
        deepEqual(
          read.map((row) => [
            ...[row["searchTerm"], row["impressions"], row["clicks"], row["cost"], row["sales7d"]],
            ...[row["purchases7d"], row["campaignName"], row["matchType"]],
          ]),
          rows.map(({ term, clicks, cost, sales, orders }) => [
            ...[term, clicks * 7, clicks, cost / 100, sales / 100, orders, "Pans", "EXACT"],
          ]),
        );
      },
    ),
    { numRuns, seed },
  );
}
