import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";

export interface DayValue {
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
    const values: DayValue[] = [];
    for (let time = Date.parse(known[0] ?? ""); time <= Date.parse(known.at(-1) ?? ""); time += 86_400_000) {
      const day = new Date(time).toISOString().slice(0, 10);
      values.push({ day, value: this.#days.get(day) ?? 0 });
    }
    return values;
  }
}
