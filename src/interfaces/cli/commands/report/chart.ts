import { eachDay } from "../../../../base/time/calendar.ts";
import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { eighths } from "../../shell/output/sparkline.ts";

interface DayValue {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly value: number;
}

export class ChartData {
  readonly #metric: string;
  readonly #days = new Map<string, number>();

  constructor(metric: string, columns: readonly string[]) {
    if (!columns.includes(metric)) {
      throw new UsageError(
        `Cannot draw "${metric}": the report has no such column. It has ${columns.join(", ")}`,
      );
    }
    if (!columns.includes("date")) throw new UsageError("Cannot draw totals by day: leave out --summary");
    this.#metric = metric;
  }

  add(row: ReportRow): void {
    const value = row[this.#metric] ?? 0;
    if (typeof value !== "number") {
      throw new UsageError(`Cannot draw "${this.#metric}": "${value}" is not a number. Choose a metric`);
    }
    const day = String(row["date"]);
    this.#days.set(day, (this.#days.get(day) ?? 0) + value);
  }

  /** In order; missing days in between count as 0. */
  series(): DayValue[] {
    const known = [...this.#days.keys()].sort();
    return [...eachDay({ start: known[0] ?? "", end: known.at(-1) ?? "" })]
      .map((day) => ({ day, value: this.#days.get(day) ?? 0 }));
  }
}

const LINES = 8;
const WIDEST_DAY = 4;

/**
 * Labels the maximum, the middle and 0 on the left, and the first and last day below. If days exceed columns, a column
 * shows the mean of several days.
 */
export function drawChart(
  series: readonly DayValue[],
  { metric, width }: { metric: string; width: number },
): string {
  if (series.length === 0) return `No rows, so no chart of ${metric}\n`;
  const most = Math.max(...series.map(({ value }) => value));
  const labels = [format(most), format(most / 2), "0"];
  const margin = Math.max(...labels.map(({ length }) => length)) + 1;
  const room = Math.max(10, width - margin - 2);
  const share = Math.ceil(series.length / room);
  const columns = means(series.map(({ value }) => value), share);
  const thickness = Math.max(1, Math.min(WIDEST_DAY, Math.floor(room / columns.length)));
  const top = Math.max(...columns, 0) || 1;

  const lines: string[] = [];
  for (let line = LINES - 1; line >= 0; line--) {
    const label = line === LINES - 1
      ? labels[0]!
      : line === LINES / 2 - 1
      ? labels[1]!
      : line === 0
      ? labels[2]!
      : "";
    const cells = columns.map((value) => eighths(value / top * LINES - line).repeat(thickness));
    lines.push(`${label.padStart(margin)} ┤${cells.join("")}`.trimEnd());
  }
  const [first, last] = [series[0]!.day, series.at(-1)!.day];
  const across = Math.max(columns.length * thickness, first.length + last.length + 1);
  const days = series.length === 1 ? first : first + last.padStart(across - first.length);
  const total = series.reduce((sum, { value }) => sum + value, 0);
  const note = share > 1 ? `; a column is the mean of ${share} days` : "";
  return [
    ...lines,
    `${" ".repeat(margin)} └${"─".repeat(across)}`,
    `${" ".repeat(margin + 2)}${days}`,
    `${metric}: ${format(total)} in ${series.length} days, ${format(total / series.length)} a day${note}`,
    "",
  ].join("\n");
}

function means(values: readonly number[], share: number): number[] {
  const result: number[] = [];
  for (let at = 0; at < values.length; at += share) {
    const part = values.slice(at, at + share);
    result.push(part.reduce((sum, value) => sum + value, 0) / part.length);
  }
  return result;
}

function format(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 });
}
