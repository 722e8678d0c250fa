import type { ChangeOperation, EntityFields } from "../../plans/model/change.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "./products.ts";
import type { SheetAdjustment, SheetEntity } from "./sheet_entity.ts";
import { detached } from "../../base/text/detached.ts";
import { headKey } from "../tables/bulk_head.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { SheetWords } from "../tables/words.ts";
import { type BulkTable, entityWord } from "./bulk_table.ts";
import { PERCENT, TEXT } from "./sheet_values.ts";

/** Position of a row. */
export interface RowPlace {
  /** Name of the tab; empty for CSV. */
  readonly tab: string;
  /** Row number, with the header as 1. */
  readonly row: number;
}

export interface SheetRow extends RowPlace {
  readonly kind: string;
  readonly op: Exclude<ChangeOperation, "call">;
  /** Id of the entity or a placeholder; empty for a new entity that no other row references. */
  readonly id: string;
  readonly fields: readonly (readonly [path: string, value: unknown])[];
  readonly parents: readonly {
    readonly path: string;
    readonly kind: string;
    readonly id: string;
    readonly header: string;
  }[];
  readonly entity: SheetEntity | SheetAdjustment;
}

/** A cell that cannot be used. */
export interface RowProblem extends RowPlace {
  /** Header of the column; empty for the whole row. */
  readonly header: string;
  /** The problem. */
  readonly message: string;
}

const OPERATIONS: Readonly<Record<string, SheetRow["op"]>> = {
  create: "create",
  update: "update",
  archive: "archive",
};

export class RowReader {
  readonly problems: RowProblem[] = [];
  readonly #place: RowPlace;
  readonly #line: SheetLine;
  readonly #table: BulkTable;
  readonly #words: SheetWords;

  constructor(
    { tab, line, table, words }: { tab: string; line: SheetLine; table: BulkTable; words: SheetWords },
  ) {
    this.#place = { tab, row: line.number };
    this.#line = line;
    this.#table = table;
    this.#words = words;
  }

  read(): SheetRow | "ignored" | undefined {
    const operation = this.#word("Operation");
    if (operation === undefined) return undefined;
    if (operation === "") return "ignored";
    const op = OPERATIONS[operation.toLowerCase()];
    if (op === undefined) {
      this.#refuse(
        "Operation",
        `"${operation}" is not known: expected create, update, archive or an empty cell`,
      );
    }
    const product = this.#product();
    if (product === undefined || op === undefined) return undefined;
    const named = this.#word("Entity");
    if (named === undefined) return undefined;
    const word = entityWord(named);
    const { adjustment } = product;
    if (adjustment !== undefined && word === entityWord(adjustment.entity)) {
      return this.#adjustment(adjustment, op);
    }
    const entity = product.entities.find((one) => headKey(one.entity) === word);
    if (entity === undefined) {
      const known = [...product.entities, ...(adjustment === undefined ? [] : [adjustment])].map((one) =>
        one.entity
      );
      this.#refuse("Entity", `"${named}" is not known: expected one of ${known.join(", ")}`);
      return undefined;
    }
    return this.#entity(entity, op);
  }

  #product(): SheetProduct | undefined {
    const word = this.#word("Product");
    if (word === undefined) return undefined;
    const named = word === "" ? this.#words.find("tab", this.#place.tab)?.english ?? this.#place.tab : word;
    const product = SHEET_PRODUCTS.find(({ name }) => headKey(name) === headKey(named));
    if (product === undefined) {
      const known = SHEET_PRODUCTS.map(({ name }) => name).join(", ");
      this.#refuse("Product", `"${named}" is not known: expected one of ${known}`);
    }
    return product;
  }

  #entity(entity: SheetEntity, op: SheetRow["op"]): SheetRow | undefined {
    const spec: ResourceSpec = KINDS[entity.kind as keyof typeof KINDS];
    const id = detached(this.#id(entity.idHeader));
    if (this.problems.some(({ header }) => header === entity.idHeader)) {
      // It is named already.
    } else if (op === "create" && /^\d+$/.test(id)) {
      this.#refuse(
        entity.idHeader,
        `${id} is the id of an existing entity: leave it empty, or use your own text`,
      );
    } else if (op !== "create" && !/^\d+$/.test(id)) {
      this.#refuse(entity.idHeader, id === "" ? "it is empty" : `"${id}" is not an id: an id is digits only`);
    }
    if (op === "create" && entity.notCreated !== undefined) this.#refuse("Entity", entity.notCreated);
    const fields: (readonly [string, unknown])[] = [];
    const parents: SheetRow["parents"][number][] = [];
    if (op !== "archive") {
      for (const { header, path, value, parent } of entity.columns) {
        if (parent !== undefined) {
          const owner = detached(this.#id(header));
          if (owner !== "" && (op === "create" || spec.updatable.includes(path))) {
            parents.push({ path, kind: parent, id: owner, header });
          }
          continue;
        }
        this.#try(header, () => {
          const found = this.#table.value(this.#line, { header, value });
          if (found === undefined) return;
          // Spaces around a name are a part of it; elsewhere they mean nothing.
          const isName = value === TEXT && typeof found === "string";
          const read = isName ? detached(this.#named(header, found)) : found;
          if (path === "state") checkState(String(read), { spec, op });
          fields.push([path, read]);
        });
      }
      this.#required(entity, {
        spec,
        op,
        present: [...fields.map(([path]) => path), ...parents.map(({ path }) => path)],
      });
    }
    return { ...this.#place, kind: entity.kind, op, id, fields, parents, entity };
  }

  #required(
    entity: SheetEntity,
    { spec, op, present }: { spec: ResourceSpec; op: SheetRow["op"]; present: readonly string[] },
  ): void {
    const has = (field: string): boolean =>
      present.some((path) => path === field || path.startsWith(`${field}.`));
    if (op === "update") {
      if (!spec.updatable.some(has) && this.problems.length === 0) {
        this.#refuse("", "it has no field that an update can change");
      }
      return;
    }
    const required = requiredAnywhere(spec);
    for (const { header, path } of entity.columns) {
      const [field = ""] = path.split(".");
      if (field === path && required.includes(field) && !has(field)) {
        this.#refuse(header, "it is empty, but a new entity needs it");
      }
    }
    if (required.includes("budget") && !has("budget")) {
      this.#refuse("Budget", "it is empty, but a new entity needs it");
    }
  }

  #adjustment(adjustment: SheetAdjustment, op: SheetRow["op"]): SheetRow | undefined {
    const id = this.#id("Campaign Id");
    if (op === "archive") {
      this.#refuse("Operation", "an adjustment cannot be archived: set its Percentage to 0");
    }
    if (id === "") this.#refuse("Campaign Id", "it is empty");
    if (op === "update" && !/^\d*$/.test(id)) {
      this.#refuse("Campaign Id", `"${id}" is not an id: an id is digits only`);
    }
    let placement: unknown;
    let percentage: unknown;
    this.#try(
      "Placement",
      () => placement = adjustment.placement.read(this.#table.word(this.#line, "Placement")),
    );
    this.#try("Percentage", () => {
      percentage = PERCENT.read(this.#table.text(this.#line, "Percentage", "percent"));
    });
    const fields = [[adjustment.path, [{ placement, percentage }]]] as const;
    return { ...this.#place, kind: adjustment.kind, op, id, fields, parents: [], entity: adjustment };
  }

  #named(header: string, text: string): string {
    const raw = this.#table.raw(this.#line, header);
    return raw.trim() === text ? raw : text;
  }

  #word(header: string): string | undefined {
    return this.#try(header, () => this.#table.word(this.#line, header));
  }

  #id(header: string): string {
    return this.#try(header, () => this.#table.text(this.#line, header, "id")) ?? "";
  }

  #try<Value>(header: string, step: () => Value): Value | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#refuse(header, error.message);
      return undefined;
    }
  }

  #refuse(header: string, message: string): void {
    if (header !== "" && this.problems.some((one) => one.header === header)) return;
    this.problems.push({ ...this.#place, header, message });
  }
}

function checkState(
  state: string,
  { spec: { settableStates, bornEnabled }, op }: { spec: ResourceSpec; op: SheetRow["op"] },
): void {
  const word = state.toUpperCase();
  if (word === "ARCHIVED") {
    throw new RangeError("archived cannot be set as a state: use the Operation archive");
  }
  if (!settableStates.includes(word)) {
    const known = settableStates.map((one) => one.toLowerCase()).join(", ");
    throw new RangeError(`"${state.toLowerCase()}" cannot be set: expected one of ${known}`);
  }
  if (op === "create" && bornEnabled && word !== "ENABLED") {
    throw new RangeError(
      "the platform enables every new entity: leave the state empty, and change it afterwards",
    );
  }
}

export function nested(fields: SheetRow["fields"]): EntityFields {
  const root: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const names = path.split(".");
    const last = names.pop() ?? path;
    let at = root;
    for (const name of names) {
      const inner = at[name];
      const next: Record<string, unknown> = typeof inner === "object" && inner !== null ? { ...inner } : {};
      at[name] = next;
      at = next;
    }
    const old = at[last];
    at[last] = Array.isArray(old) && Array.isArray(value) ? [...old, ...value] : value;
  }
  return root;
}
