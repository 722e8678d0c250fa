import type { Day } from "../internal/calendar.ts";
import type { Cell } from "./encode_row.ts";
import type { ReportLayout } from "./report_layout.ts";

/** Size of one day in a report. */
export interface DayFigures {
  /** Number of rows. */
  readonly rows: number;
  /** Sum of the column `cost`, in the currency of the profile; 0 where the report has none. */
  readonly cost: number;
}

/** Counts rows and cost by day while rows are encoded. */
export class DayTally {
  readonly #days = new Map<Day, { rows: number; cost: number }>();
  readonly #costAt: number;

  /** @param layout How the rows are laid out. */
  constructor(layout: ReportLayout) {
    this.#costAt = layout.columns.findIndex(({ name }) => name === "cost");
  }

  /** Counts a row. */
  add(day: Day, cells: readonly Cell[]): void {
    const cost = cells[this.#costAt];
    let figures = this.#days.get(day);
    if (figures === undefined) this.#days.set(day, figures = { rows: 0, cost: 0 });
    figures.rows++;
    if (typeof cost === "number") figures.cost += cost;
  }

  /** Figures of a day. */
  on(day: Day): DayFigures {
    return this.#days.get(day) ?? { rows: 0, cost: 0 };
  }
}
