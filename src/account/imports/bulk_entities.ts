import type { EntityFields } from "../../plans/model/change.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds.ts";
import type { SheetLine } from "../sheets/sheet_lines.ts";
import { headerKey, SHEET_PRODUCTS, type SheetProduct } from "../sheets/products.ts";
import type { SheetEntity } from "../sheets/sheet_entity.ts";
import { PERCENT } from "../sheets/sheet_values.ts";
import { nested } from "../sheets/sheet_rows.ts";
import { importKey } from "./console_headers.ts";
import type { CellProblem } from "./read_table.ts";
import type { HeaderMap } from "./recognize_table.ts";

/** Entities of a bulk sheet by kind and id. */
export type BulkEntities = Map<ResourceKind, Map<string, EntityFields>>;

/** Entities of one tab. */
interface BulkTab {
  readonly entities: BulkEntities;
  readonly problems: readonly CellProblem[];
  /** Remarks for the reader: rows that hold something that is not kept. */
  readonly notices: readonly string[];
}

/** Words in the columns Product and Entity of older and newer files, by those that the format knows. */
const SAME_ENTITY: Readonly<Record<string, string>> = {
  "bidding adjustment by placement": "bidding adjustment",
};

/**
 * Reads every row of a bulk sheet as the entity that it describes, whatever its operation.
 *
 * @param head English headers.
 */
export function readBulkTab(
  lines: readonly SheetLine[],
  { head, tab, map }: { readonly head: readonly string[]; readonly tab: string; readonly map: HeaderMap },
): BulkTab {
  const at = new Map<string, number>();
  for (const [index, header] of head.entries()) {
    const key = headerKey(header);
    if (key !== "" && !at.has(key)) at.set(key, index);
  }
  // The two generations differ in whether the id of a product is for information.
  for (const name of ["sku", "asin"]) {
    const informational = at.get(`${name} (informational only)`);
    if (!at.has(name) && informational !== undefined) at.set(name, informational);
  }
  const words = new Map(Object.entries(map).map(([own, english]) => [importKey(own), english]));
  const reader = new BulkReader({ at, tab, words });
  for (const line of lines) {
    if (line.cells.some((cell) => cell.trim() !== "")) reader.read(line);
  }
  return reader.end();
}

class BulkReader {
  readonly #entities: BulkEntities = new Map();
  readonly #problems: CellProblem[] = [];
  readonly #unread = new Map<string, number>();
  readonly #adjustments: { line: SheetLine; product: SheetProduct }[] = [];
  readonly #at: ReadonlyMap<string, number>;
  readonly #tab: string;
  readonly #words: ReadonlyMap<string, string>;

  constructor(
    { at, tab, words }: {
      at: ReadonlyMap<string, number>;
      tab: string;
      words: ReadonlyMap<string, string>;
    },
  ) {
    this.#at = at;
    this.#tab = tab;
    this.#words = words;
  }

  read(line: SheetLine): void {
    const product = this.#product(line);
    const named = headerKey(this.#cell(line, "Entity"));
    const word = SAME_ENTITY[named] ?? named;
    const isAdjustment = product?.adjustment !== undefined && word === headerKey(product.adjustment.entity);
    const entity = product?.entities.find((one) => headerKey(one.entity) === word);
    if (product !== undefined && isAdjustment) this.#adjustments.push({ line, product });
    else if (entity !== undefined) this.#entity(line, entity);
    else {
      const what = product === undefined
        ? `Product "${this.#cell(line, "Product")}"`
        : `Entity "${this.#cell(line, "Entity")}"`;
      this.#unread.set(what, (this.#unread.get(what) ?? 0) + 1);
    }
  }

  end(): BulkTab {
    for (const { line, product } of this.#adjustments) this.#adjust(line, product);
    const unread = [...this.#unread].map(([what, count]) => `${count} rows of ${what}`);
    // Without its campaigns a sheet gives no names to join by.
    const isRead = [...this.#entities.keys()].some((kind) =>
      kind.endsWith("campaigns") || kind === "portfolios"
    );
    if (!isRead && unread.length > 0) {
      this.#problems.push({
        row: 0,
        header: "",
        message:
          `none of its rows is read as a campaign, and not read are ${
            unread.join(", ")
          }. For words of another language, add --map ` +
          '"their word=Campaign" and so on',
      });
    }
    const notices = unread.length === 0 ? [] : [`Not kept: ${unread.join(", ")}`];
    return { entities: this.#entities, problems: this.#problems, notices };
  }

  #product(line: SheetLine): SheetProduct | undefined {
    const word = headerKey(this.#cell(line, "Product"));
    return SHEET_PRODUCTS.find(({ name }) => headerKey(name) === (word === "" ? headerKey(this.#tab) : word));
  }

  #entity(line: SheetLine, entity: SheetEntity): void {
    const { kind } = entity;
    const id = this.#id(line, entity.idHeader);
    if (id === undefined) return;
    const { idField } = KINDS[kind as ResourceKind];
    const fields: (readonly [string, unknown])[] = [[idField, id]];
    for (const { header, path, value, parent } of entity.columns) {
      const text = this.#cell(line, header);
      if (text === "") continue;
      if (parent !== undefined) {
        const owner = this.#id(line, header);
        if (owner !== undefined) fields.push([path, owner]);
        continue;
      }
      try {
        fields.push([path, value.read(text)]);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.#refuse(line, header, error.message);
      }
    }
    const own = this.#entities.get(kind as ResourceKind) ?? new Map<string, EntityFields>();
    this.#entities.set(kind as ResourceKind, own);
    const whole = nested(fields);
    own.set(id, entity.onCreate?.(whole) ?? whole);
  }

  #adjust(line: SheetLine, { adjustment }: SheetProduct): void {
    const id = this.#id(line, "Campaign Id");
    if (id === undefined || adjustment === undefined || this.#cell(line, "Placement") === "") return;
    const own = this.#entities.get(adjustment.kind as ResourceKind);
    const campaign = own?.get(id);
    if (campaign === undefined) return this.#refuse(line, "Campaign Id", "no row describes this campaign");
    try {
      const placement = adjustment.placement.read(this.#cell(line, "Placement"));
      const percentage = PERCENT.read(this.#cell(line, "Percentage") || "0");
      own!.set(id, nested([...pathsOf(campaign), [adjustment.path, [{ placement, percentage }]]]));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#refuse(line, "Placement", error.message);
    }
  }

  #id(line: SheetLine, header: string): string | undefined {
    const text = this.#cell(line, header);
    if (/^\d+$/.test(text)) return text;
    if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) {
      this.#refuse(
        line,
        header,
        `${text} is a rounded number whose last digits are lost: download the file once more, unchanged`,
      );
    } else {this.#refuse(
        line,
        header,
        text === "" ? "it is empty" : `"${text}" is not an id: an id is digits only`,
      );}
    return undefined;
  }

  #cell({ cells }: SheetLine, header: string): string {
    const text = cells[this.#at.get(headerKey(header)) ?? -1]?.trim() ?? "";
    return this.#words.get(importKey(text)) ?? text;
  }

  #refuse({ number }: SheetLine, header: string, message: string): void {
    this.#problems.push({ row: number, header, message });
  }
}

/** Fields of an entity by their paths, one level deep, as `nested` takes them; lists stay whole. */
function pathsOf(entity: EntityFields): (readonly [string, unknown])[] {
  return Object.entries(entity).flatMap(([name, value]): (readonly [string, unknown])[] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner] as const)
      : [[name, value]]
  );
}
