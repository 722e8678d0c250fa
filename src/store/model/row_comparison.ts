import type { Day } from "../../base/time/calendar.ts";
import type { Cell } from "./encode_rows.ts";
import type { ReportLayout } from "./report_layout.ts";
import { rowHash } from "./row_hash.ts";

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

/** Finds unchanged rows by stored hashes, without reading the rows. */
export class RowComparison {
  readonly #width: number;
  readonly #days = new Map<Day, DayHashes>();
  readonly changed: (readonly Cell[])[] = [];

  constructor(layout: ReportLayout) {
    this.#width = layout.columns.length + 1;
  }

  remember(day: Day, hashes: Float64Array): void {
    this.#of(day).remember(hashes);
  }

  add(cells: readonly Cell[]): void {
    const hashes = this.#of(String(cells[0]));
    const hash = rowHash(cells, this.#width);
    hashes.came.push(hash);
    if (!hashes.take(hash)) this.changed.push(cells);
  }

  note(day: Day, cells: readonly Cell[]): void {
    this.#of(day).came.push(rowHash(cells, this.#width));
  }

  rowsOn(day: Day): number {
    return this.#of(day).came.length;
  }

  hashesOf(day: Day): Float64Array {
    return Float64Array.from(this.#of(day).came).sort();
  }

  /**
   * Takes one stored row that the pull has not matched. Returns true if there was one; equal rows are taken one at a
   * time.
   */
  takeLeft(day: Day, cells: readonly unknown[]): boolean {
    return this.#of(day).take(rowHash(cells, this.#width));
  }

  hasLeft(day: Day): boolean {
    return this.#of(day).left > 0;
  }

  #of(day: Day): DayHashes {
    let hashes = this.#days.get(day);
    if (hashes === undefined) this.#days.set(day, hashes = new DayHashes());
    return hashes;
  }

  hashesOfRows(rows: readonly (readonly unknown[])[]): Float64Array {
    return Float64Array.from(rows, (cells) => rowHash(cells, this.#width)).sort();
  }
}
