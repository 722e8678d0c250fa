import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { type BulkTable, entityWord } from "../sheets/bulk_table.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "../sheets/products.ts";
import type { SheetEntity } from "../sheets/sheet_entity.ts";
import { headKey } from "../tables/bulk_head.ts";
import { KeyedSpill } from "../tables/keyed_spill.ts";
import type { CellProblem, ProblemList } from "../tables/problem_list.ts";
import { isBlank, type SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import type { SheetWords } from "../tables/words.ts";
import { BulkCells, UnknownWord } from "./bulk_cells.ts";
import { type BulkRow, entityOf, idHeaderOf, kindOf, readBulkRow, type Settle } from "./bulk_row.ts";
import { PlacementRows } from "./placement_rows.ts";

/** Entities of bulk sheets. If several tabs or files contain an entity, the last row wins. */
export class BulkEntities {
  readonly #readers: readonly BulkReader[];

  constructor(readers: readonly BulkReader[]) {
    this.#readers = readers;
  }

  get kinds(): readonly ResourceKind[] {
    return [...new Set(this.#readers.flatMap(({ kinds }) => kinds))];
  }

  *of(kind: ResourceKind): Generator<readonly [id: string, entity: EntityFields]> {
    const readers = this.#readers.filter((reader) => reader.count(kind) > 0);
    for (const [at, reader] of readers.entries()) {
      const later = readers.slice(at + 1);
      for (const found of reader.entities(kind)) {
        if (!later.some((one) => one.has(kind, found[0]))) yield found;
      }
    }
  }

  count(): number {
    let count = 0;
    for (const kind of this.kinds) {
      const readers = this.#readers.filter((reader) => reader.count(kind) > 0);
      if (readers.length === 1) count += readers[0]?.count(kind) ?? 0;
      else for (const _ of this.of(kind)) count += 1;
    }
    return count;
  }

  *[Symbol.iterator](): Generator<
    readonly [kind: ResourceKind, entities: Iterable<readonly [id: string, entity: EntityFields]>]
  > {
    for (const kind of this.kinds) yield [kind, this.of(kind)];
  }
}

interface BulkTab {
  readonly problems: ProblemList<CellProblem>;
  readonly notices: readonly string[];
  readonly operations: number;
}

/** Reads the entities of one tab of a bulk sheet. */
export class BulkReader {
  readonly #rows = new Map<ResourceKind, KeyedSpill<BulkRow>>();
  /** Rows compared only after the formats of amounts and days are known, in file order. */
  readonly #unsettled = new Spill<{ readonly row: BulkRow; readonly isRepeated: boolean }>();
  readonly #placements = new PlacementRows();
  readonly #leftOut = new KeyedSpill<string>((key) => key);
  readonly #cells: BulkCells;
  readonly #tab: string;
  readonly #words: SheetWords;
  readonly #countryCode: string;
  #settle: Settle = () => ({ value: undefined });
  #operations = 0;
  #created = 0;

  constructor(
    { table, tab, words, countryCode }: {
      table: BulkTable;
      tab: string;
      words: SheetWords;
      countryCode: string;
    },
  ) {
    this.#countryCode = countryCode;
    this.#cells = new BulkCells(table);
    this.#tab = tab;
    this.#words = words;
  }

  get asked(): number {
    return this.#operations - this.#created;
  }

  take(line: SheetLine): void {
    if (isBlank(line)) return;
    try {
      this.#take(line);
    } catch (error) {
      this.#cells.keepOut(line, error);
    }
  }

  #take(line: SheetLine): void {
    const cells = this.#cells;
    if (cells.table.raw(line, "Operation").trim() !== "") {
      this.#operations += 1;
      const operation = cells.word(line, "Operation");
      if (operation === undefined) return;
      if (/^create$/i.test(operation)) {
        this.#created += 1;
        return;
      }
    }
    const named = cells.word(line, "Entity");
    const written = cells.word(line, "Product");
    if (named === undefined || written === undefined) return;
    const product = this.#product(written);
    if (product === undefined) throw new UnknownWord(`Product "${written}"`);
    const word = entityWord(named);
    if (product.adjustment !== undefined && word === entityWord(product.adjustment.entity)) {
      this.#placements.take(line, product);
      return;
    }
    const entity = product.entities.find((one) => headKey(one.entity) === word);
    if (entity === undefined) throw new UnknownWord(`Entity "${named}"`);
    this.#entity(line, entity);
  }

  /**
   * Finishes the tab: compares its rows with each other and with earlier tabs, once all cells of the file have decided
   * the formats of amounts and days.
   */
  end(settle: Settle, earlier: readonly BulkReader[] = []): BulkTab {
    this.#settle = settle;
    for (const { row, isRepeated } of this.#unsettled) {
      const entity = this.#entityOf(row, (error, header) => this.#cells.keepOut(row, error, header));
      if (!isRepeated) continue;
      const before = this.#find(kindOf(row), row.id);
      if (before === undefined || JSON.stringify(this.#entityOf(before)) === JSON.stringify(entity)) continue;
      this.#refuse(
        row,
        `row ${before.number} describes the same entity with different values. Remove one of them`,
      );
    }
    for (const other of earlier) this.#compare(other);
    this.#placements.end(this.#cells, {
      has: (kind, id) => this.has(kind, id),
      isLeftOut: (kind, id) => this.#leftOut.all(`${kind} ${id}`).length > 0,
    });
    const unread = this.#cells.unread();
    // Without its campaigns a sheet gives no names to join by.
    const isRead = this.kinds.some((kind) => kind.endsWith("campaigns") || kind === "portfolios") ||
      (this.#rows.size > 0 && !this.#cells.lacksEntities);
    const advice = 'Translate a word with --map "their word=known word"';
    const { problems } = this.#cells;
    if (!isRead && unread.length > 0) {
      problems.add({
        row: 0,
        header: "",
        message: `none of its rows is read as a campaign. Unknown words: ${unread.join("; ")}. ${advice}`,
      });
    }
    const created = this.#created === 0 ? [] : [
      `Left out ${this.#created} rows that create entities, which are not in the account yet`,
    ];
    const notices = unread.length === 0
      ? created
      : [`Left out, because of unknown words: ${unread.join("; ")}. ${advice}`, ...created];
    return { problems, notices, operations: this.#operations };
  }

  #compare(other: BulkReader): void {
    for (const [kind, rows] of this.#rows) {
      if (other.count(kind) === 0) continue;
      for (const row of rows) {
        const before = other.#find(kind, row.id);
        if (before === undefined) continue;
        if (JSON.stringify(other.#entityOf(before)) === JSON.stringify(this.#entityOf(row))) continue;
        this.#refuse(
          row,
          `row ${before.number} of tab "${other.#tab}" describes the same entity with ` +
            "different values. Remove one of them, or choose a tab with --tab",
        );
      }
    }
  }

  get kinds(): readonly ResourceKind[] {
    return [...this.#rows.keys()];
  }

  count(kind: ResourceKind): number {
    return this.#rows.get(kind)?.length ?? 0;
  }

  has(kind: ResourceKind, id: string): boolean {
    return this.#find(kind, id) !== undefined;
  }

  /** Yields the entities of one kind. Each call reads them again; only valid after `end`. */
  *entities(kind: ResourceKind): Generator<readonly [id: string, entity: EntityFields]> {
    for (const row of this.#rows.get(kind) ?? []) {
      yield [row.id, this.#placements.applied(kind, row.id, this.#entityOf(row))];
    }
  }

  /** Deletes temporary files; entities cannot be read afterwards. */
  close(): void {
    for (const list of [...this.#rows.values(), this.#unsettled, this.#placements, this.#leftOut]) {
      list.close();
    }
  }

  #product(word: string): SheetProduct | undefined {
    const named = word === "" ? this.#words.find("tab", this.#tab)?.english ?? this.#tab : word;
    return SHEET_PRODUCTS.find(({ name }) => headKey(name) === headKey(named));
  }

  #entity(line: SheetLine, entity: SheetEntity): void {
    const read = readBulkRow(this.#cells, line, entity);
    if (read === undefined) return;
    const { row, isLeftOut } = read;
    const kind = kindOf(row);
    if (isLeftOut) {
      this.#leftOut.push(`${kind} ${row.id}`);
      return;
    }
    const own = this.#rows.get(kind) ?? new KeyedSpill<BulkRow>(({ id }) => id);
    this.#rows.set(kind, own);
    const isRepeated = this.has(kind, row.id);
    if (!isRepeated) own.push(row);
    if (isRepeated || row.open !== undefined) this.#unsettled.push({ row, isRepeated });
  }

  #find(kind: ResourceKind, id: string): BulkRow | undefined {
    return this.#rows.get(kind)?.all(id)[0];
  }

  #entityOf(row: BulkRow, onError?: (error: unknown, header: string) => void): EntityFields {
    return entityOf(row, { settle: this.#settle, countryCode: this.#countryCode, onError });
  }

  #refuse(row: BulkRow, message: string): void {
    this.#cells.refuse(row, idHeaderOf(row), message);
  }
}
