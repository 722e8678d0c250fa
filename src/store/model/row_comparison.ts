import type { Day } from "../../base/time/calendar.ts";
import type { Cell } from "./encode_rows.ts";
import type { ReportLayout } from "./report_layout.ts";
import { rowHash } from "./row_hash.ts";

/** The stored rows of a day, as hashes that are taken one by one, and the hashes of those that came. */
class DayHashes {
  readonly came: number[] = [];
  #hashes: Float64Array = new Float64Array();
  #taken = new Uint8Array();
  #left = 0;

  remember(hashes: Float64Array): void {
    this.#hashes = hashes;
    this.#taken = new Uint8Array(hashes.length);
    this.#left = hashes.length;
  }

  get left(): number {
    return this.#left;
  }

  /** Takes one row of this hash; false when none is left. */
  take(hash: number): boolean {
    let [from, to] = [0, this.#hashes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#hashes[middle] ?? 0) < hash) from = middle + 1;
      else to = middle;
    }
    for (; this.#hashes[from] === hash; from++) {
      if (this.#taken[from] === 1) continue;
      this.#taken[from] = 1;
      this.#left--;
      return true;
    }
    return false;
  }
}

/**
 * Tells the rows of a pull that are stored as they come from those that are not, by hashes of the stored rows which are
 * kept beside them. What is stored is not read for it.
 */
export class RowComparison {
  readonly #width: number;
  readonly #days = new Map<Day, DayHashes>();
  /** Rows that are not stored as they come, in their order. */
  readonly changed: (readonly Cell[])[] = [];

  /** @param layout How the rows are laid out. */
  constructor(layout: ReportLayout) {
    this.#width = layout.columns.length + 1;
  }

  /** Remembers what is stored of a day: hashes that `hashesOf` gave. */
  remember(day: Day, hashes: Float64Array): void {
    this.#of(day).remember(hashes);
  }

  /** Takes a row; one that is not stored as it comes is kept in `changed`. */
  add(cells: readonly Cell[]): void {
    const hashes = this.#of(String(cells[0]));
    const hash = rowHash(cells, this.#width);
    hashes.came.push(hash);
    if (!hashes.take(hash)) this.changed.push(cells);
  }

  /** Counts a row whose day has nothing stored. */
  note(day: Day, cells: readonly Cell[]): void {
    this.#of(day).came.push(rowHash(cells, this.#width));
  }

  /** Rows of a day so far. */
  rowsOn(day: Day): number {
    return this.#of(day).came.length;
  }

  hashesOf(day: Day): Float64Array {
    return Float64Array.from(this.#of(day).came).sort();
  }

  /** True for a stored row that did not come; each of equal ones counts once. */
  takeLeft(day: Day, cells: readonly unknown[]): boolean {
    return this.#of(day).take(rowHash(cells, this.#width));
  }

  /** True while a day has stored rows that did not come and were not taken. */
  hasLeft(day: Day): boolean {
    return this.#of(day).left > 0;
  }

  #of(day: Day): DayHashes {
    let hashes = this.#days.get(day);
    if (hashes === undefined) this.#days.set(day, hashes = new DayHashes());
    return hashes;
  }

  /** The hashes of stored rows that are read, for days that have none beside them. */
  hashesOfRows(rows: readonly (readonly unknown[])[]): Float64Array {
    return Float64Array.from(rows, (cells) => rowHash(cells, this.#width)).sort();
  }
}
