import { type CellStyle, writeXlsx } from "hucre/xlsx";
import { amountFormat, EXPORTED, readMe } from "../../../../account/sheets/sheet_layout.ts";
import { columnLetters } from "../../../../base/spreadsheet/row_cells.ts";
import { currencyDecimals } from "../../../../base/markets/markets.ts";
import { isDay } from "../../../../base/time/calendar.ts";
import type { Figures } from "../../../../store/figures/figures.ts";
import { figureCharts } from "./figure_charts.ts";

/** Number formats of columns without money, by their names. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/_change$/, "+0.0%;-0.0%;0.0%"],
  [/^(acos|ctr|cvr)(_before)?$/, "0.0%"],
  [/^roas(_before)?$/, "#,##0.00"],
  [/^(impressions|clicks|orders)(_before)?$/, "#,##0"],
];
const BOLD: CellStyle = { font: { bold: true } };

type Cell = string | number | boolean | Date | null;
type Sheet = Parameters<typeof writeXlsx>[0]["sheets"][number];

/**
 * A workbook of figures: names first and ids last, a bold header that stays and has filters, amounts in the format of
 * their currency, shares as percentages, totals below, and a tab that explains it. With `chart` a second sheet has cost
 * and sales for each currency, over days, weeks or months where they are a group.
 */
export async function figuresWorkbook(
  found: Figures,
  { chart }: { readonly chart: boolean },
): Promise<Uint8Array> {
  const { name, lines } = readMe(EXPORTED);
  const about: Sheet = { name, columns: [{ width: 110 }], rows: [...lines].map((line) => [...line]) };
  return await writeXlsx({
    sheets: [figuresSheet(found), ...chart ? [chartSheet(found)] : [], about],
  });
}

function figuresSheet({ columns: all, rows, totals }: Figures): Sheet {
  const isId = (name: string): boolean => name.endsWith("_id");
  const columns = [...all.filter((name) => !isId(name)), ...all.filter(isId)];
  const total = totals.map((row) =>
    columns.map((name, at) => at === 0 ? "Total" : cellOf(row[name] ?? null))
  );
  const body = rows.map((row) => columns.map((name) => cellOf(row[name] ?? null)));
  const decimals = [2, ...[...rows, ...totals].map(decimalsOf)];
  const styleAt = (name: string, row: number): CellStyle => ({
    ...row === 0 ? {} : styleOf(name, decimals[row]),
    ...row === 0 || row > body.length ? BOLD : {},
  });
  // Rows whose style is not that of their columns.
  const styled = [...decimals.keys()].filter((row) => row === 0 || row > body.length || decimals[row] !== 2);
  return {
    name: "Figures",
    columns: columns.map((name) => ({
      width: isId(name) ? 20 : widthOf(name),
      style: styleOf(name),
    })),
    rows: [[...columns], ...body, ...total],
    cells: new Map(
      styled.flatMap((row) =>
        columns.map((name, column) => [`${row},${column}`, { style: styleAt(name, row) }] as const)
      ),
    ),
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:${columnLetters(columns.length - 1)}${body.length + 1}` },
  };
}

/** Blocks of label, cost and sales, one for each currency, each with its chart beside it. */
function chartSheet(found: Figures): Sheet {
  const lines: Cell[][] = [];
  const charts: NonNullable<Sheet["charts"]> = [];
  for (const { currency, isTime, label, points } of figureCharts(found)) {
    const [first, last] = [lines.length + 2, lines.length + 1 + points.length];
    const range = (column: string): string => `${column}${first}:${column}${last}`;
    charts.push({
      type: isTime ? "line" : "bar",
      title: `Cost and sales${currency === null ? "" : `, ${currency}`}`,
      series: [
        { name: "Cost", values: range("B"), categories: range("A") },
        { name: "Sales", values: range("C"), categories: range("A") },
      ],
      anchor: { from: { row: lines.length, col: 4 }, to: { row: lines.length + 20, col: 14 } },
    });
    lines.push([label, "cost", "sales"], ...points.map(({ name, cost, sales }) => [name, cost, sales]));
    // The next block begins below the chart of this one.
    while (lines.length < last + 2 || lines.length % 22 !== 0) lines.push([]);
  }
  const amount = { width: 12, style: styleOf("cost") };
  return { name: "Chart", columns: [{ width: 28 }, amount, amount], rows: lines, charts };
}

function styleOf(name: string, decimals = 2): CellStyle {
  if (/^(cost|sales|cpc)(_before)?$/.test(name)) return { numFmt: amountFormat(decimals) };
  const format = FORMATS.find(([pattern]) => pattern.test(name))?.[1];
  return format === undefined ? {} : { numFmt: format };
}

function decimalsOf({ currency }: { readonly currency?: unknown }): number {
  return typeof currency === "string" ? currencyDecimals(currency) : 2;
}

function widthOf(name: string): number {
  return ["campaign", "ad_group", "keyword", "search_term", "portfolio"].includes(name) ? 36 : 12;
}

function cellOf(value: string | number | boolean | null): Cell {
  return typeof value === "string" && isDay(value) ? new Date(`${value}T00:00:00Z`) : value;
}
