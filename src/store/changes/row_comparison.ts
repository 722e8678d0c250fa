import type { Day } from "../../internal/calendar.ts";
import type { Cell } from "../encode_row.ts";
import type { ReportLayout } from "../report_layout.ts";
import { rowHash } from "./row_hash.ts";

/** The stored rows of a day, as hashes that are taken one by one. */
class DayHashes {
  readonly #hashes: Float64Array;
  readonly #taken: Uint8Array;
  #left: number;

  constructor(hashes: Float64Array) {
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
  readonly #stored = new Map<Day, DayHashes>();
  readonly #came = new Map<Day, number[]>();
  /** Rows that are not stored as they come, in their order. */
  readonly changed: (readonly Cell[])[] = [];

  /** @param layout How the rows are laid out. */
  constructor(layout: ReportLayout) {
    this.#width = layout.columns.length + 1;
  }

  /** Remembers what is stored of a day: hashes that `hashesOf` gave. */
  remember(day: Day, hashes: Float64Array): void {
    this.#stored.set(day, new DayHashes(hashes));
  }

  /** Takes a row; one that is not stored as it comes is kept in `changed`. */
  add(cells: readonly Cell[]): void {
    const day = String(cells[0]);
    const hash = this.note(day, cells);
    if (this.#stored.get(day)?.take(hash) !== true) this.changed.push(cells);
  }

  /** Counts a row whose day has nothing stored. */
  note(day: Day, cells: readonly Cell[]): number {
    const hash = rowHash(cells, this.#width);
    const came = this.#came.get(day);
    if (came === undefined) this.#came.set(day, [hash]);
    else came.push(hash);
    return hash;
  }

  /** Rows of a day so far. */
  rowsOn(day: Day): number {
    return this.#came.get(day)?.length ?? 0;
  }

  /** What the rows that came of a day are remembered by. */
  hashesOf(day: Day): Float64Array {
    return Float64Array.from(this.#came.get(day) ?? []).sort();
  }

  /** True for a stored row that did not come; each of equal ones counts once. */
  takeLeft(day: Day, cells: readonly unknown[]): boolean {
    return this.#stored.get(day)?.take(rowHash(cells, this.#width)) ?? false;
  }

  /** True while a day has stored rows that did not come and were not taken. */
  hasLeft(day: Day): boolean {
    return (this.#stored.get(day)?.left ?? 0) > 0;
  }

  /** The hashes of stored rows that are read, for days that have none beside them. */
  hashesOfRows(rows: readonly (readonly unknown[])[]): Float64Array {
    return Float64Array.from(rows, (cells) => rowHash(cells, this.#width)).sort();
  }
}
