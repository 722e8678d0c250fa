import { detached } from "../../base/text/detached.ts";
import { quickHash } from "../../base/text/quick_hash.ts";
import { turnedNotices } from "../sheets/sheet_findings.ts";
import { looksTurned } from "../tables/cell_formats.ts";

/** Maximum number of rows to compare, so that memory stays bounded for files of any length. */
const MAX_COMPARED = 50_000;
const MAX_NAMED = 5;

export class DoubtfulRows {
  readonly #empty = new Map<string, number>();
  readonly #seen = new Set<number>();
  readonly #again: number[] = [];
  readonly #blank = new Map<string, { count: number; readonly first: number[] }>();
  readonly #turned: { readonly header: string; readonly text: string; readonly row: number }[] = [];
  #count = 0;

  takeEmpty(header: string): void {
    this.#empty.set(header, (this.#empty.get(header) ?? 0) + 1);
  }

  /** Takes the text of a cell. An empty text may come from merged cells. */
  takeText(text: string, { header, row }: { readonly header: string; readonly row: number }): void {
    if (text === "") {
      const blank = this.#blank.get(header) ?? { count: 0, first: [] };
      this.#blank.set(header, blank);
      blank.count += 1;
      if (blank.first.length < MAX_NAMED) blank.first.push(row);
    } else if (this.#turned.length < MAX_COMPARED && looksTurned(text)) {
      this.#turned.push({ header: `"${header}"`, text: detached(text), row });
    }
  }

  /**
   * Takes a row for comparison. Only rows with clicks are compared, because rows without clicks are often identical.
   */
  takeRow(number: number, row: unknown): void {
    const key = quickHash(JSON.stringify(row));
    if (this.#seen.has(key)) {
      this.#count += 1;
      if (this.#again.length < MAX_NAMED) this.#again.push(number);
    } else if (this.#seen.size < MAX_COMPARED) this.#seen.add(key);
  }

  notices(): string[] {
    const empty = [...this.#empty].map(([header, count]) =>
      `${count === 1 ? "1 empty cell" : `${count} empty cells`} of "${header}" counted as 0`
    );
    const others = [
      ...empty,
      ...[...this.#blank].map(([header, { count, first }]) => {
        const rows = `${first.join(", ")}${count > first.length ? ", ..." : ""}`;
        return `${
          count === 1 ? "1 cell" : `${count} cells`
        } of "${header}" without a name (row ${rows}): were cells merged?`;
      }),
      ...turnedNotices(this.#turned),
    ];
    if (this.#count === 0) return others;
    const rows = `${this.#again.join(", ")}${this.#count > this.#again.length ? ", ..." : ""}`;
    const equal = this.#count === 1 ? "1 row is" : `${this.#count} rows are`;
    return [
      ...others,
      `${equal} identical to an earlier row (row ${rows}) and counted twice: were files pasted together?`,
    ];
  }
}
