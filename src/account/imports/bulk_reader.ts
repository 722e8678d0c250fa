import { isObject } from "../../base/json/fields_of.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import { type BulkTable, entityWord, type FileForm, OpenValue } from "../sheets/bulk_table.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "../sheets/products.ts";
import type { SheetEntity } from "../sheets/sheet_entity.ts";
import { PERCENT } from "../sheets/sheet_values.ts";
import { nested } from "../sheets/sheet_row.ts";
import { headKey } from "../tables/bulk_head.ts";
import type { CellProblem } from "../tables/cell_problem.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import { KeyedSpill } from "../tables/keyed_spill.ts";
import { ProblemList } from "../tables/problem_list.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import type { SheetWords } from "../tables/words.ts";

interface BulkTab {
  readonly problems: ProblemList<CellProblem>;
  readonly notices: readonly string[];
  readonly operations: number;
}

const MAX_NAMED = 5;

const MAX_WORDS = 100;

/** A word that cannot be read. Its row is skipped and reported; the other rows are still read. */
class UnknownWord extends Error {}

type Fields = readonly (readonly [path: string, value: unknown])[];

interface ReadRow {
  readonly number: number;
  readonly entity: number;
  readonly id: string;
  readonly fields: Fields;
  /** Amounts and days whose format is decided by the whole file, with their index in the fields. */
  readonly open?: readonly (readonly [at: number, value: Pick<OpenValue, "kind" | "text" | "currency">])[];
}

interface Adjustment {
  readonly id: string;
  readonly product: number;
  readonly placement: unknown;
  readonly percentage: unknown;
}

const ENTITIES: readonly SheetEntity[] = SHEET_PRODUCTS.flatMap(({ entities }) => entities);

type Settle = ReturnType<FileForm["settled"]>;

export class BulkReader {
  readonly #rows = new Map<ResourceKind, KeyedSpill<ReadRow>>();
  /** Rows compared only after the formats of amounts and days are known, in file order. */
  readonly #unsettled = new Spill<{ readonly row: ReadRow; readonly isRepeated: boolean }>();
  readonly #placements = new Spill<{ readonly line: SheetLine; readonly product: number }>();
  readonly #adjustments = new KeyedSpill<Adjustment>(({ id, product }) => `${product} ${id}`);
  readonly #problems = new ProblemList<CellProblem>();
  readonly #unknown = new Map<string, { count: number; readonly first: number[] }>();
  readonly #keptOut = new KeyedSpill<string>((key) => key);
  readonly #table: BulkTable;
  readonly #tab: string;
  readonly #words: SheetWords;
  readonly #countryCode: string;
  #settle: Settle | undefined;
  #operations = 0;
  #created = 0;
  #lacksEntities = false;

  constructor(
    { table, tab, words, countryCode }: {
      table: BulkTable;
      tab: string;
      words: SheetWords;
      countryCode: string;
    },
  ) {
    this.#countryCode = countryCode;
    this.#table = table;
    this.#tab = tab;
    this.#words = words;
  }

  get asked(): number {
    return this.#operations - this.#created;
  }

  take(line: SheetLine): void {
    if (line.cells.every((cell) => cell.trim() === "")) return;
    try {
      if (this.#table.raw(line, "Operation").trim() !== "") {
        this.#operations += 1;
        const operation = this.#try(line, "Operation", () => this.#table.word(line, "Operation"));
        if (operation === undefined) return;
        if (/^create$/i.test(operation)) {
          this.#created += 1;
          return;
        }
      }
      const named = this.#try(line, "Entity", () => this.#table.word(line, "Entity"));
      const written = this.#try(line, "Product", () => this.#table.word(line, "Product"));
      if (named === undefined || written === undefined) return;
      const product = this.#product(written);
      const word = entityWord(named);
      const entity = product?.entities.find((one) => headKey(one.entity) === word);
      if (product === undefined) throw new UnknownWord(`Product "${written}"`);
      if (product.adjustment !== undefined && word === entityWord(product.adjustment.entity)) {
        this.#placements.push({ line, product: SHEET_PRODUCTS.indexOf(product) });
      } else if (entity === undefined) throw new UnknownWord(`Entity "${named}"`);
      else this.#entity(line, entity);
    } catch (error) {
      this.#keepOut(line, error);
    }
  }

  /**
   * Finishes the tab: compares its rows with each other and with earlier tabs, once all cells of the file have decided
   * the formats of amounts and days.
   */
  end(settle: Settle, earlier: readonly BulkReader[] = []): BulkTab {
    this.#settle = settle;
    for (const { row, isRepeated } of this.#unsettled) {
      const next = this.#whole(row, { isReported: true });
      if (!isRepeated) continue;
      const [before] = this.#rows.get(kindOf(row))?.all(row.id) ?? [];
      if (before === undefined || JSON.stringify(this.#whole(before)) === JSON.stringify(next)) continue;
      this.#refuse(
        row,
        ENTITIES[row.entity]?.idHeader ?? "",
        `row ${before.number} describes the same entity with different values. Remove one of them`,
      );
    }
    for (const other of earlier) this.#compare(other);
    for (const { line, product } of this.#placements) {
      try {
        this.#adjust(line, product);
      } catch (error) {
        this.#keepOut(line, error);
      }
    }
    const unread = [...this.#unknown].map(([what, { count, first }]) => {
      const more = count > first.length ? ` and ${count - first.length} more` : "";
      const rows = count === 1 ? "row" : "rows";
      return `${count} ${rows} of ${what} (${rows} ${first.join(", ")}${more})`;
    });
    // Without its campaigns a sheet gives no names to join by.
    const isRead = this.kinds.some((kind) => kind.endsWith("campaigns") || kind === "portfolios") ||
      (this.#rows.size > 0 && !this.#lacksEntities);
    const advice = 'Translate a word with --map "their word=known word"';
    if (!isRead && unread.length > 0) {
      this.#problems.add({
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
    return { problems: this.#problems, notices, operations: this.#operations };
  }

  #compare(other: BulkReader): void {
    for (const [kind, rows] of this.#rows) {
      if (other.count(kind) === 0) continue;
      for (const row of rows) {
        const [before] = other.#rows.get(kind)?.all(row.id) ?? [];
        if (before === undefined) continue;
        if (JSON.stringify(other.#whole(before)) === JSON.stringify(this.#whole(row))) continue;
        this.#refuse(
          row,
          ENTITIES[row.entity]?.idHeader ?? "",
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
    return (this.#rows.get(kind)?.all(id).length ?? 0) > 0;
  }

  /** Yields the entities of one kind. Each call reads them again; only valid after `end`. */
  *entities(kind: ResourceKind): Generator<readonly [id: string, entity: EntityFields]> {
    const adjusted = this.#adjustments.length === 0
      ? []
      : SHEET_PRODUCTS.filter(({ adjustment }) => adjustment?.kind === kind);
    for (const row of this.#rows.get(kind) ?? []) {
      let entity = this.#whole(row);
      for (const product of adjusted) {
        for (
          const { placement, percentage } of this.#adjustments.all(
            `${SHEET_PRODUCTS.indexOf(product)} ${row.id}`,
          )
        ) {
          const path = product.adjustment?.path ?? "";
          entity = nested([...pathsOf(entity), [path, [{ placement, percentage }]]]);
        }
      }
      yield [row.id, entity];
    }
  }

  /** Deletes temporary files; entities cannot be read afterwards. */
  close(): void {
    const lists = [
      ...this.#rows.values(),
      this.#unsettled,
      this.#placements,
      this.#adjustments,
      this.#keptOut,
    ];
    for (const list of lists) list.close();
  }

  #whole(row: ReadRow, { isReported = false } = {}): EntityFields {
    const entity = ENTITIES[row.entity];
    const open = new Map(row.open);
    const fields = row.fields.map(([path, value], at): readonly [string, unknown] => {
      const decided = open.get(at);
      if (decided === undefined) return [path, value];
      try {
        return [path, this.#decided(decided)];
      } catch (error) {
        const header = entity?.columns.find((one) => one.path === path)?.header ?? "";
        if (isReported) this.#keepOut(row, error, header);
        return [path, undefined];
      }
    });
    const whole = nested(fields);
    return entity?.onCreate?.(whole) ?? whole;
  }

  #decided({ kind, text, currency: shown }: Pick<OpenValue, "kind" | "text" | "currency">): unknown {
    const found = this.#settle?.(new OpenValue(kind, text, shown));
    if (foreignCurrency(found?.currency ?? "", this.#countryCode) === undefined) return found?.value;
    throw new RangeError(`"${text}" is not in the currency of ${this.#countryCode}`);
  }

  #product(word: string): SheetProduct | undefined {
    const named = word === "" ? this.#words.find("tab", this.#tab)?.english ?? this.#tab : word;
    return SHEET_PRODUCTS.find(({ name }) => headKey(name) === headKey(named));
  }

  #entity(line: SheetLine, entity: SheetEntity): void {
    const spec: ResourceSpec = KINDS[entity.kind as ResourceKind];
    const { idField } = spec;
    const required = requiredAnywhere(spec);
    const id = this.#id(line, entity.idHeader);
    if (id === undefined) return;
    const fields: (readonly [string, unknown])[] = [[idField, id]];
    let isKeptOut = false;
    for (const { header, path, value, parent } of entity.columns) {
      if (parent !== undefined) {
        // Programs that merge equal cells leave all but the first of them empty.
        const isBlank = this.#table.raw(line, header).trim() === "" && !required.includes(path);
        const owner = isBlank ? undefined : this.#id(line, header);
        if (owner !== undefined) fields.push([path, owner]);
        continue;
      }
      try {
        const found = this.#table.value(line, { header, value });
        if (found !== undefined) fields.push([path, found]);
      } catch (error) {
        if (!(error instanceof RangeError) || value.use !== "word" || this.#isChanged(line, header)) {
          this.#keepOut(line, error, header);
          continue;
        }
        this.#keepOut(line, new UnknownWord(`${header} "${this.#table.raw(line, header).trim()}"`));
        isKeptOut = true;
      }
    }
    if (isKeptOut) {
      this.#keptOut.push(`${entity.kind} ${id}`);
      return;
    }
    this.#keep({
      number: line.number,
      entity: ENTITIES.indexOf(entity),
      id,
      fields: fields.map(([path, value]) => [path, value instanceof OpenValue ? null : value]),
      open: fields.flatMap(([, value], at) => {
        if (!(value instanceof OpenValue)) return [];
        const { kind, text, currency } = value;
        return [[at, { kind, text, currency }] as const];
      }),
    });
  }

  #keep({ open = [], ...fixed }: ReadRow): void {
    const row = open.length === 0 ? fixed : { ...fixed, open };
    const kind = kindOf(row);
    const own = this.#rows.get(kind) ?? new KeyedSpill<ReadRow>(({ id }) => id);
    this.#rows.set(kind, own);
    const [before] = own.all(row.id);
    if (before === undefined) own.push(row);
    const isRepeated = before !== undefined;
    if (isRepeated || open.length > 0) this.#unsettled.push({ row, isRepeated });
  }

  #adjust(line: SheetLine, product: number): void {
    const adjustment = SHEET_PRODUCTS[product]?.adjustment;
    const id = this.#id(line, "Campaign Id");
    if (id === undefined || adjustment === undefined || this.#table.raw(line, "Placement").trim() === "") {
      return;
    }
    const kind = adjustment.kind as ResourceKind;
    if (!this.has(kind, id)) {
      if (this.#keptOut.all(`${kind} ${id}`).length > 0) {
        throw new UnknownWord("campaigns that were left out");
      }
      return this.#refuse(line, "Campaign Id", "no row describes this campaign");
    }
    const word = this.#table.word(line, "Placement");
    const placement = this.#known(() => adjustment.placement.read(word), `Placement "${word}"`);
    const percentage = this.#try(
      line,
      "Percentage",
      () => PERCENT.read(this.#table.text(line, "Percentage", "percent") || "0"),
    );
    if (percentage !== undefined) this.#adjustments.push({ id, product, placement, percentage });
  }

  #known<Value>(step: () => Value, what: string): Value {
    try {
      return step();
    } catch (error) {
      throw error instanceof RangeError ? new UnknownWord(what) : error;
    }
  }

  #isChanged(line: SheetLine, header: string): boolean {
    try {
      this.#table.text(line, header, "word");
      return false;
    } catch {
      return true;
    }
  }

  #id(line: SheetLine, header: string): string | undefined {
    const text = this.#try(line, header, () => this.#table.text(line, header, "id"));
    if (text === undefined || /^\d+$/.test(text)) return text;
    this.#refuse(line, header, text === "" ? "it is empty" : `"${text}" is not an id: an id is digits only`);
    return undefined;
  }

  #try<Value>(line: Pick<SheetLine, "number">, header: string, step: () => Value): Value | undefined {
    try {
      return step();
    } catch (error) {
      this.#keepOut(line, error, header);
      return undefined;
    }
  }

  #keepOut(line: Pick<SheetLine, "number">, error: unknown, header = ""): void {
    if (error instanceof UnknownWord) {
      this.#lacksEntities ||= /^(?:Product|Entity) /.test(error.message);
      const isNamed = this.#unknown.size < MAX_WORDS || this.#unknown.has(error.message);
      const word = isNamed ? error.message : "other words";
      const rows = this.#unknown.get(word) ?? { count: 0, first: [] };
      this.#unknown.set(word, rows);
      rows.count += 1;
      if (rows.first.length < MAX_NAMED) rows.first.push(line.number);
    } else if (error instanceof RangeError) this.#refuse(line, header, error.message);
    else throw error;
  }

  #refuse({ number }: Pick<SheetLine, "number">, header: string, message: string): void {
    this.#problems.add({ row: number, header, message });
  }
}

function kindOf({ entity }: ReadRow): ResourceKind {
  return ENTITIES[entity]?.kind as ResourceKind;
}

/** Returns the paths and values of fields, one level deep as `nested` expects; lists are not split. */
function pathsOf(entity: EntityFields): (readonly [string, unknown])[] {
  return Object.entries(entity).flatMap(([name, value]): (readonly [string, unknown])[] =>
    isObject(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner] as const)
      : [[name, value]]
  );
}
