import { visibleText } from "../../../base/text/visible_text.ts";
import type { FigureRow, Figures } from "../../../store/figures/figures.ts";

const TIMES = ["day", "week", "month"];
const MAX_BARS = 20;

export interface FigureChart {
  readonly currency: string | null;
  /** True for days, weeks or months in order; otherwise groups are sorted by descending cost. */
  readonly isTime: boolean;
  readonly label: string;
  readonly points: readonly { readonly name: string; readonly cost: number; readonly sales: number }[];
}

export function groupKeys(columns: readonly string[]): string[] {
  return columns.slice(0, columns.indexOf("currency")).filter((key) => !/_id$|^match_type$/.test(key));
}

/** One chart per currency, because different currencies are never added. */
export function figureCharts({ columns, rows }: Pick<Figures, "columns" | "rows">): FigureChart[] {
  const keys = groupKeys(columns);
  const time = TIMES.find((name) => keys.includes(name));
  const nameOf = (row: FigureRow): string =>
    visibleText(time === undefined ? keys.map((key) => row[key] ?? "").join(" ") : String(row[time]));
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => {
    const points = [...Map.groupBy(own, nameOf)].map(([name, group]) => ({
      name,
      cost: sum(group, "cost"),
      sales: sum(group, "sales"),
    }));
    const isTime = time !== undefined;
    const ordered = isTime
      ? points.sort((a, b) => a.name < b.name ? -1 : 1)
      : points.sort((a, b) => b.cost - a.cost).slice(0, MAX_BARS);
    return { currency, isTime, label: time ?? keys.join(" "), points: ordered };
  });
}

function sum(rows: readonly FigureRow[], name: "cost" | "sales"): number {
  return Math.round(rows.reduce((total, row) => total + row[name], 0) * 100) / 100;
}
