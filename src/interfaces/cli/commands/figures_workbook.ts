import { amountFormat, EXPORTED, readMe } from "../../../account/sheets/sheet_layout.ts";
import type { NewChart } from "../../../account/sheets/chart_xml.ts";
import { joined, type NewCell, type NewTab, XlsxWriter } from "../../../account/sheets/write_xlsx.ts";
import { dayNumber } from "../../../base/text/row_cells.ts";
import { currencyDecimals } from "../../../base/markets/markets.ts";
import { isDay } from "../../../base/time/calendar.ts";
import type { Figures } from "../../../store/figures/figures.ts";
import { figureCharts } from "./figure_charts.ts";

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/_change$/, "+0.0%;-0.0%;0.0%"],
  [/^(acos|ctr|cvr)(_before)?$/, "0.0%"],
  [/^roas(_before)?$/, "#,##0.00"],
  [/^(impressions|clicks|orders)(_before)?$/, "#,##0"],
];
const DAY = "yyyy-mm-dd";
const CHART_ROWS = 22;

type Tab = Omit<NewTab, "lines">;

export function figuresWorkbook(
  found: Figures,
  { chart }: { readonly chart: boolean },
): Uint8Array<ArrayBuffer> {
  const bytes: Uint8Array[] = [];
  const writer = new XlsxWriter((piece) => void bytes.push(piece), {
    formats: [...new Set([DAY, ...[0, 2, 3].map(amountFormat), ...FORMATS.map(([, format]) => format)])],
  });
  writeFigures(writer, found);
  for (const { lines, ...tab } of [...chart ? [chartTab(found)] : [], readMe(EXPORTED)]) {
    writer.begin(tab);
    for (const line of lines) writer.row(line);
  }
  writer.end();
  return joined(bytes);
}

function writeFigures(writer: XlsxWriter, { columns: all, rows, totals }: Figures): void {
  const isId = (name: string): boolean => name.endsWith("_id");
  const columns = [...all.filter((name) => !isId(name)), ...all.filter(isId)];
  const formats = (decimals: number): ReadonlyMap<number, string> =>
    new Map(columns.flatMap((name, at) => {
      const format = formatOf(name, decimals);
      return format === undefined ? [] : [[at, format] as const];
    }));
  const tab: Tab = {
    name: "Figures",
    widths: columns.map((name) => isId(name) ? 20 : widthOf(name)),
    formats: formats(2),
  };
  writer.begin(tab);
  writer.row(columns);
  for (const row of rows) {
    writer.row(columns.map((name) => cellOf(row[name] ?? null)), formats(decimalsOf(row)));
  }
  for (const row of totals) {
    const cells = columns.map((name, at) => at === 0 ? "Total" : cellOf(row[name] ?? null));
    writer.total(cells, formats(decimalsOf(row)));
  }
}

function chartTab(found: Figures): NewTab {
  const lines: NewCell[][] = [];
  const charts: NewChart[] = [];
  for (const { currency, isTime, label, points } of figureCharts(found)) {
    const last = lines.length + 1 + points.length;
    charts.push({
      type: isTime ? "line" : "bar",
      title: `Cost and sales${currency === null ? "" : `, ${currency}`}`,
      rows: [lines.length + 2, last],
      series: [{ name: "Cost", column: "B" }, { name: "Sales", column: "C" }],
      from: [4, lines.length],
      to: [14, lines.length + CHART_ROWS - 2],
    });
    lines.push([label, "cost", "sales"], ...points.map(({ name, cost, sales }) => [name, cost, sales]));
    // The next block begins below the chart of this one.
    while (lines.length < last + 2 || lines.length % CHART_ROWS !== 0) lines.push([]);
  }
  const amount = amountFormat(2);
  return {
    name: "Chart",
    widths: [28, 12, 12],
    formats: new Map([[1, amount], [2, amount]]),
    isTable: false,
    lines,
    charts,
  };
}

function formatOf(name: string, decimals: number): string | undefined {
  if (/^(cost|sales|cpc)(_before)?$/.test(name)) return amountFormat(decimals);
  if (name === "day" || name === "week") return DAY;
  return FORMATS.find(([pattern]) => pattern.test(name))?.[1];
}

function decimalsOf({ currency }: { readonly currency?: unknown }): number {
  return typeof currency === "string" ? currencyDecimals(currency) : 2;
}

function widthOf(name: string): number {
  return ["campaign", "ad_group", "keyword", "search_term", "portfolio"].includes(name) ? 36 : 12;
}

function cellOf(value: string | number | boolean | null): NewCell {
  return typeof value === "string" && isDay(value) ? dayNumber(value) : value ?? "";
}
