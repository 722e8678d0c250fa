import { amountFormat, EXPORTED, readMe } from "../../../../account/sheets/sheet_layout.ts";
import { type NewCell, XlsxWriter } from "../../../../account/sheets/write_xlsx.ts";
import { currencyDecimals, decimalsOf } from "../../../../base/markets/markets.ts";
import { dayNumber } from "../../../../base/text/row_cells.ts";
import { isDay } from "../../../../base/time/calendar.ts";
import type { ColumnType, ReportRow, ReportValue } from "../../../../client/reports/file/report_row.ts";
import { CliError, EXIT } from "../io/cli_error.ts";

const [MAX_CELL, MAX_ROWS] = [32_767, 1_048_576];

const DAY = "yyyy-mm-dd";
const MONEY = /cost|spend|sales|cpc|cpm|budget|bid/i;
const NO_MONEY = /percent|rate|share|change|adjust|count|id$/i;

/**
 * Uses bounded memory. Ids become text, days dates, and amounts numbers with their currency's decimals. Continues on
 * another sheet after Excel's 1,048,576 rows; the last sheet explains the columns.
 *
 * @param options.maxRows Rows per sheet including the header.
 * @default 1,048,576
 * @throws {CliError} when a text exceeds Excel's cell limit.
 */
export async function writeXlsx(
  rows: AsyncIterable<ReportRow>,
  { types, write, maxRows = MAX_ROWS }: {
    types: ReadonlyMap<string, ColumnType>;
    write: (bytes: Uint8Array) => Promise<void>;
    maxRows?: number;
  },
): Promise<void> {
  const names = [...types.keys()];
  const amounts = names.flatMap((name, at) => isAmount(name, types.get(name)) ? [at] : []);
  const formats = new Map(names.flatMap((name, at) => {
    if (types.get(name) === "date") return [[at, DAY] as const];
    return amounts.includes(at) ? [[at, amountFormat(2)] as const] : [];
  }));
  const currencies = names.filter((name) => /currency(?:_?code)?(?:\.value)?$/i.test(name));
  const pieces: Uint8Array[] = [];
  const writer = new XlsxWriter((piece) => void pieces.push(piece), {
    formats: [DAY, amountFormat(2), amountFormat(0)],
  });
  const whole = new Map(amounts.map((at) => [at, amountFormat(0)] as const));
  let [tabs, count] = [0, maxRows];
  const begin = (): void => {
    tabs += 1;
    writer.begin({ name: tabs === 1 ? "Rows" : `Rows ${tabs}`, formats });
    writer.row(names);
    count = 1;
  };
  begin();
  for await (const row of rows) {
    if (count === maxRows) begin();
    const cells = names.map((name) => cellOf(row[name] ?? null, types.get(name)));
    writer.row(cells, decimalsIn(row, currencies) === 0 ? whole : undefined);
    count += 1;
    for (const piece of pieces.splice(0)) await write(piece);
  }
  const { lines, ...about } = readMe(EXPORTED);
  writer.begin(about);
  for (const line of lines) writer.row(line);
  writer.end();
  for (const piece of pieces) await write(piece);
}

function isAmount(name: string, type: ColumnType | undefined): boolean {
  return (type === "real" || type === "integer") && MONEY.test(name) && !NO_MONEY.test(name);
}

function decimalsIn(row: ReportRow, currencies: readonly string[]): number {
  for (const name of currencies) {
    const currency = row[name];
    if (typeof currency === "string") return currencyDecimals(currency);
  }
  const country = row["country_code"];
  return typeof country === "string" ? decimalsOf(country) : 2;
}

function cellOf(value: ReportValue, type: ColumnType | undefined): NewCell {
  if (value === null) return "";
  if (type === "date" && typeof value === "string" && isDay(value)) return dayNumber(value);
  if (type === "text" && typeof value === "number") return String(value);
  if (typeof value === "string" && value.length > MAX_CELL) {
    throw new CliError(
      `Cannot write a spreadsheet: a text of ${value.length} characters is longer than a cell may be (${MAX_CELL}). ` +
        "Write .csv or .parquet",
      EXIT.failed,
    );
  }
  return value;
}
