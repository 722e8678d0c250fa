import { isObject } from "../../base/json/is_object.ts";
import { detached } from "../../base/text/detached.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds.ts";
import { type BulkTable, entityWord, type FileForm, OpenValue } from "../sheets/bulk_table.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "../sheets/products.ts";
import type { SheetEntity } from "../sheets/sheet_entity.ts";
import { PERCENT } from "../sheets/sheet_values.ts";
import { nested } from "../sheets/sheet_rows.ts";
import { headKey } from "../tables/bulk_head.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { SheetWords } from "../tables/words.ts";
import type { CellProblem } from "./read_table.ts";

/** Entities of a bulk sheet by kind and id. */
export type BulkEntities = Map<ResourceKind, Map<string, EntityFields>>;

interface BulkTab {
  readonly entities: BulkEntities;
  readonly problems: readonly CellProblem[];
  /** Remarks for the reader: rows that are kept out. */
  readonly notices: readonly string[];
  /** Rows with an operation, which ask for changes. */
  readonly operations: number;
}

/** Rows of one reason that a remark names. */
const MAX_NAMED = 5;

/** A word that is not known: its row is kept out and named, and the others are read. */
class UnknownWord extends Error {}

/** An entity; as its fields by path, where amounts or days are decided by all cells of the file. */
interface ReadEntity {
  /** Number of its line. */
  readonly number: number;
  readonly entity: SheetEntity;
  readonly id: string;
  readonly fields: EntityFields | OpenFields;
}

type OpenFields = readonly (readonly [path: string, value: unknown])[];

/** Reads every row of a bulk sheet as the entity that it describes, whatever its operation. */
export class BulkReader {
  readonly #read: ReadEntity[] = [];
  readonly #problems: CellProblem[] = [];
  readonly #unknown = new Map<string, number[]>();
  readonly #keptOut = new Set<string>();
  readonly #adjustments: { line: SheetLine; product: SheetProduct }[] = [];
  readonly #table: BulkTable;
  readonly #tab: string;
  readonly #words: SheetWords;
  readonly #countryCode: string;
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
    this.#table = table;
    this.#tab = tab;
    this.#words = words;
  }

  /** Rows that ask for an update or an archive. */
  get asked(): number {
    return this.#operations - this.#created;
  }

  /** Takes a line below the head. */
  take(line: SheetLine): void {
    if (line.cells.every((cell) => cell.trim() === "")) return;
    try {
      if (this.#table.raw(line, "Operation").trim() !== "") {
        this.#operations += 1;
        if (/^create$/i.test(this.#table.word(line, "Operation"))) {
          this.#created += 1;
          return;
        }
      }
      const product = this.#product(line);
      const named = this.#table.word(line, "Entity");
      const word = entityWord(named);
      const entity = product?.entities.find((one) => headKey(one.entity) === word);
      if (product === undefined) throw new UnknownWord(`Product "${this.#table.word(line, "Product")}"`);
      if (product.adjustment !== undefined && word === entityWord(product.adjustment.entity)) {
        this.#adjustments.push({ line, product });
      } else if (entity === undefined) throw new UnknownWord(`Entity "${named}"`);
      else this.#entity(line, entity);
    } catch (error) {
      this.#keepOut(line, error);
    }
  }

  /** The entities of the tab; amounts and days are decided by all cells of the file. */
  end(settle: ReturnType<FileForm["settled"]>): BulkTab {
    const entities: BulkEntities = new Map();
    const rows = new Map<EntityFields, number>();
    for (const { number, entity, id, fields } of this.#read) {
      const kind = entity.kind as ResourceKind;
      const own = entities.get(kind) ?? new Map<string, EntityFields>();
      entities.set(kind, own);
      const next = isOpen(fields)
        ? completed(entity, this.#settled(fields, { settle, entity, line: { number } }))
        : fields;
      const before = own.get(id);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(next)) {
        const first = rows.get(before) ?? 0;
        this.#refuse(
          { number },
          entity.idHeader,
          `row ${first} describes the same entity, with other values. Remove one of both`,
        );
        continue;
      }
      rows.set(next, number);
      own.set(id, next);
    }
    for (const { line, product } of this.#adjustments) {
      try {
        this.#adjust(line, product, entities);
      } catch (error) {
        this.#keepOut(line, error);
      }
    }
    const unread = [...this.#unknown].map(([what, lines]) => {
      const named = lines.slice(0, MAX_NAMED).join(", ");
      const more = lines.length > MAX_NAMED ? ` and ${lines.length - MAX_NAMED} more` : "";
      return `${lines.length} ${lines.length === 1 ? "row" : "rows"} of ${what} (${
        lines.length === 1 ? "row" : "rows"
      } ${named}${more})`;
    });
    // Without its campaigns a sheet gives no names to join by.
    const isRead = [...entities.keys()].some((kind) => kind.endsWith("campaigns") || kind === "portfolios") ||
      (entities.size > 0 && ![...this.#unknown.keys()].some((what) => /^(?:Product|Entity) /.test(what)));
    const advice = 'Say what a word means with --map "their word=known word"';
    if (!isRead && unread.length > 0) {
      this.#problems.push({
        row: 0,
        header: "",
        message: `none of its rows is read as a campaign, and not known are ${unread.join("; ")}. ${advice}`,
      });
    }
    const created = this.#created === 0 ? [] : [
      `Rows that create something are not a part of the account yet: ${this.#created} left out`,
    ];
    const notices = unread.length === 0
      ? created
      : [`Kept out, because a word is not known: ${unread.join("; ")}. ${advice}`, ...created];
    return { entities, problems: this.#problems, notices, operations: this.#operations };
  }

  #settled(
    fields: OpenFields,
    { settle, entity, line }: {
      settle: ReturnType<FileForm["settled"]>;
      entity: SheetEntity;
      line: Pick<SheetLine, "number">;
    },
  ): OpenFields {
    return fields.map(([path, value]): readonly [string, unknown] => {
      if (!(value instanceof OpenValue)) return [path, value];
      const header = entity.columns.find((one) => one.path === path)?.header ?? "";
      return [
        path,
        this.#try(line, header, () => {
          const { value: settled, currency = "" } = settle(value);
          if (foreignCurrency(currency, this.#countryCode) === undefined) return settled;
          throw new RangeError(`"${value.text}" is not in the currency of ${this.#countryCode}`);
        }),
      ];
    });
  }

  #product(line: SheetLine): SheetProduct | undefined {
    const word = this.#table.word(line, "Product");
    const named = word === "" ? this.#words.find("tab", this.#tab)?.english ?? this.#tab : word;
    return SHEET_PRODUCTS.find(({ name }) => headKey(name) === headKey(named));
  }

  #entity(line: SheetLine, entity: SheetEntity): void {
    const { idField } = KINDS[entity.kind as ResourceKind];
    const id = this.#id(line, entity.idHeader);
    if (id === undefined) return;
    const fields: (readonly [string, unknown])[] = [[idField, id]];
    let isKeptOut = false;
    for (const { header, path, value, parent } of entity.columns) {
      if (parent !== undefined) {
        const owner = this.#table.raw(line, header).trim() === "" ? undefined : this.#id(line, header);
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
      this.#keptOut.add(`${entity.kind} ${id}`);
      return;
    }
    const isDecided = fields.every(([, value]) => !(value instanceof OpenValue));
    this.#read.push({
      number: line.number,
      entity,
      id: detached(id),
      fields: isDecided ? completed(entity, fields) : fields,
    });
  }

  #adjust(line: SheetLine, { adjustment }: SheetProduct, entities: BulkEntities): void {
    const id = this.#id(line, "Campaign Id");
    if (id === undefined || adjustment === undefined || this.#table.raw(line, "Placement").trim() === "") {
      return;
    }
    const own = entities.get(adjustment.kind as ResourceKind);
    const campaign = own?.get(id);
    if (campaign === undefined) {
      if (this.#keptOut.has(`${adjustment.kind} ${id}`)) throw new UnknownWord("campaigns that are kept out");
      return this.#refuse(line, "Campaign Id", "no row describes this campaign");
    }
    const word = this.#table.word(line, "Placement");
    const placement = this.#known(() => adjustment.placement.read(word), `Placement "${word}"`);
    const percentage = this.#try(
      line,
      "Percentage",
      () => PERCENT.read(this.#table.text(line, "Percentage", "percent") || "0"),
    );
    if (percentage === undefined) return;
    own!.set(id, nested([...pathsOf(campaign), [adjustment.path, [{ placement, percentage }]]]));
  }

  #known<Value>(step: () => Value, what: string): Value {
    try {
      return step();
    } catch (error) {
      throw error instanceof RangeError ? new UnknownWord(what) : error;
    }
  }

  /** True for a cell that a program has changed, whatever its words. */
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
      const lines = this.#unknown.get(error.message) ?? [];
      this.#unknown.set(error.message, lines);
      lines.push(line.number);
    } else if (error instanceof RangeError) this.#refuse(line, header, error.message);
    else throw error;
  }

  #refuse({ number }: Pick<SheetLine, "number">, header: string, message: string): void {
    this.#problems.push({ row: number, header, message });
  }
}

function isOpen(fields: EntityFields | OpenFields): fields is OpenFields {
  return Array.isArray(fields);
}

/** The entity of fields, with texts of their own: a file's other cells must not stay in memory for them. */
function completed(entity: SheetEntity, fields: OpenFields): EntityFields {
  const whole = nested(
    fields.map(([path, value]) => [path, typeof value === "string" ? detached(value) : value] as const),
  );
  return entity.onCreate?.(whole) ?? whole;
}

/** Fields of an entity by their paths, one level deep, as `nested` takes them; lists stay whole. */
function pathsOf(entity: EntityFields): (readonly [string, unknown])[] {
  return Object.entries(entity).flatMap(([name, value]): (readonly [string, unknown])[] =>
    isObject(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner] as const)
      : [[name, value]]
  );
}
