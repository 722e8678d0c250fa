import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";

/** The sum of a metric on one day. */
export interface DayValue {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Sum over its rows. */
  readonly value: number;
}

/** Sums a metric by day while rows come. */
export class ChartData {
  readonly #metric: string;
  readonly #days = new Map<string, number>();

  /**
   * Begins without days.
   *
   * @param columns Columns of the report.
   * @throws {UsageError} when the report has no such column, or no days.
   */
  constructor(metric: string, columns: readonly string[]) {
    if (!columns.includes(metric)) {
      throw new UsageError(
        `Cannot draw "${metric}": the report has no such column. It has ${columns.join(", ")}`,
      );
    }
    if (!columns.includes("date")) throw new UsageError("Cannot draw totals by day: leave out --summary");
    this.#metric = metric;
  }

  /**
   * Adds a row.
   *
   * @throws {UsageError} when the column holds something that is not a number.
   */
  add(row: ReportRow): void {
    const value = row[this.#metric] ?? 0;
    if (typeof value !== "number") {
      throw new UsageError(`Cannot draw "${this.#metric}": "${value}" is not a number. Choose a metric`);
    }
    const day = String(row["date"]);
    this.#days.set(day, (this.#days.get(day) ?? 0) + value);
  }

  /** The days in order; days without rows between them count 0. */
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
