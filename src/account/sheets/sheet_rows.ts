import type { ChangeOperation, EntityFields } from "../../plans/model/change.ts";
import { KINDS } from "../../client/entities/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import { headerKey, SHEET_PRODUCTS, type SheetProduct } from "./products.ts";
import type { SheetAdjustment, SheetEntity } from "./sheet_entity.ts";
import { SheetFileError, type SheetLine } from "./sheet_lines.ts";
import { PERCENT, TEXT } from "./sheet_values.ts";
import { readLines, type SheetFile } from "./sheet_file.ts";

/** Position of a row. */
export interface RowPlace {
  /** Name of the tab; empty for CSV. */
  readonly tab: string;
  /** Number of the row, the head being 1. */
  readonly row: number;
}

/** A row that asks for a change. */
export interface SheetRow extends RowPlace {
  readonly kind: string;
  readonly op: Exclude<ChangeOperation, "call">;
  /** Id of the entity, or the text that stands for a new one; empty for a new one that nothing refers to. */
  readonly id: string;
  /** Fields by their paths. */
  readonly fields: readonly (readonly [path: string, value: unknown])[];
  /** Ids of what it belongs to: path, kind, and the id or the text for a new one. */
  readonly parents: readonly {
    readonly path: string;
    readonly kind: string;
    readonly id: string;
    readonly header: string;
  }[];
  /** Meaning of its word in the column Entity. */
  readonly entity: SheetEntity | SheetAdjustment;
}

/** A cell that cannot be used. */
export interface RowProblem extends RowPlace {
  /** Head of the column; empty for the whole row. */
  readonly header: string;
  /** The problem. */
  readonly message: string;
}

/** Requests read from the rows of a sheet. */
export interface SheetRows {
  /** Rows with an operation, in their order. */
  readonly rows: readonly SheetRow[];
  /** Every cell that cannot be used. */
  readonly problems: readonly RowProblem[];
  /** Rows with a blank operation. */
  readonly ignored: number;
}

const OPERATIONS: Readonly<Record<string, SheetRow["op"]>> = {
  create: "create",
  update: "update",
  archive: "archive",
};

/** Columns by their heads, and which product a tab is for where it is for one alone. */
interface Head {
  readonly at: ReadonlyMap<string, number>;
}

/**
 * Reads what the rows of a bulk file ask for. Rows with a blank operation, tabs that are not bulk sheets and columns that
 * are not known are passed over.
 *
 * @throws {SheetFileError} when the file cannot be read, or a column is there twice.
 */
export function readSheetRows(file: SheetFile): SheetRows {
  const heads = new Map<string, Head | undefined>();
  const rows: SheetRow[] = [];
  const problems: RowProblem[] = [];
  let ignored = 0;
  readLines(file, (tab, line) => {
    if (!heads.has(tab)) {
      const head = headOf(line);
      if (head !== undefined) refuseDoubledColumns(line, { file, tab });
      heads.set(tab, head);
      return;
    }
    const head = heads.get(tab);
    if (head === undefined || line.cells.every((cell) => cell === "")) return;
    const cell = (header: string): string => line.cells[head.at.get(headerKey(header)) ?? -1] ?? "";
    if (cell("Operation").trim() === "") {
      ignored += 1;
      return;
    }
    const reader = new RowReader({ tab, line, head, cell });
    const row = reader.read();
    problems.push(...reader.problems);
    if (row !== undefined && reader.problems.length === 0) rows.push(row);
  });
  return { rows, problems, ignored };
}

/** The columns of a bulk sheet; `undefined` for a line that is not the head of one. */
export function headOf({ cells }: SheetLine): Head | undefined {
  const at = new Map<string, number>();
  for (const [index, text] of cells.entries()) {
    const key = headerKey(text);
    if (key !== "" && !at.has(key)) at.set(key, index);
  }
  return at.has("entity") && at.has("operation") ? { at } : undefined;
}

const KNOWN_COLUMNS: ReadonlySet<string> = new Set(
  SHEET_PRODUCTS.flatMap(({ headers }) => headers.map(headerKey)),
);

/** Refuses a head with a column that is there twice: nothing says which of both is meant. */
function refuseDoubledColumns({ cells }: SheetLine, { file, tab }: { file: SheetFile; tab: string }): void {
  const columns = [...Map.groupBy(cells.keys(), (at) => headerKey(cells[at] ?? "")).entries()];
  const doubled = columns.filter(([key, at]) => at.length > 1 && KNOWN_COLUMNS.has(key)).map(([, at]) =>
    `"${cells[at[0]!]?.trim()}" (${at.map((one) => one + 1).join(" and ")})`
  );
  if (doubled.length === 0) return;
  const where = tab === "" ? "it" : `the tab "${tab}"`;
  throw new SheetFileError(
    file.name,
    `${where} has columns twice: ${doubled.join(", ")}. Remove all but one of each`,
  );
}

class RowReader {
  readonly problems: RowProblem[] = [];
  readonly #place: RowPlace;
  readonly #text: (header: string) => string;
  readonly #isFormula: (header: string) => boolean;

  constructor(
    { tab, line, head, cell }: { tab: string; line: SheetLine; head: Head; cell: (header: string) => string },
  ) {
    this.#place = { tab, row: line.number };
    this.#text = cell;
    const { formulas } = line;
    this.#isFormula = (header) => formulas?.includes(head.at.get(headerKey(header)) ?? -1) ?? false;
  }

  read(): SheetRow | undefined {
    const op = OPERATIONS[this.#cell("Operation").toLowerCase()];
    if (op === undefined) {
      this.#refuse(
        "Operation",
        `"${this.#cell("Operation")}" is not known: expected create, update, archive or nothing`,
      );
    }
    const product = this.#product();
    if (product === undefined || op === undefined) return undefined;
    const word = headerKey(this.#cell("Entity"));
    const { adjustment } = product;
    if (adjustment !== undefined && word === headerKey(adjustment.entity)) {
      return this.#adjustment(adjustment, op);
    }
    const entity = product.entities.find((one) => headerKey(one.entity) === word);
    if (entity === undefined) {
      const known = [...product.entities, ...(adjustment === undefined ? [] : [adjustment])].map((one) =>
        one.entity
      );
      this.#refuse("Entity", `"${this.#cell("Entity")}" is not known: expected one of ${known.join(", ")}`);
      return undefined;
    }
    return this.#entity(entity, op);
  }

  #product(): SheetProduct | undefined {
    const word = this.#cell("Product");
    const named = word === "" ? this.#place.tab : word;
    const product = SHEET_PRODUCTS.find(({ name }) => headerKey(name) === headerKey(named));
    if (product === undefined) {
      const known = SHEET_PRODUCTS.map(({ name }) => name).join(", ");
      this.#refuse("Product", `"${named}" is not known: expected one of ${known}`);
    }
    return product;
  }

  #entity(entity: SheetEntity, op: SheetRow["op"]): SheetRow | undefined {
    const spec: ResourceSpec = KINDS[entity.kind as keyof typeof KINDS];
    const id = detached(this.#id(entity.idHeader));
    if (op === "create" && /^\d+$/.test(id)) {
      this.#refuse(
        entity.idHeader,
        `${id} is the id of an entity that exists: leave it out, or give a text of your own`,
      );
    } else if (op !== "create" && !/^\d+$/.test(id)) {
      this.#refuse(entity.idHeader, id === "" ? "it is empty" : `"${id}" is not an id: an id is digits only`);
    }
    if (op === "create" && entity.notCreated !== undefined) this.#refuse("Entity", entity.notCreated);
    const fields: (readonly [string, unknown])[] = [];
    const parents: SheetRow["parents"][number][] = [];
    if (op !== "archive") {
      for (const { header, path, value, parent } of entity.columns) {
        // Spaces around a name are a part of it; elsewhere they mean nothing.
        const own = value === TEXT && this.#cell(header) !== "" ? this.#text(header) : this.#cell(header);
        const cut = parent === undefined ? own : this.#id(header);
        if (cut === "") continue;
        const text = detached(cut);
        if (this.#isFormula(header)) this.#refuse(header, "it holds a formula: paste its value");
        else if (parent === undefined) {
          this.#try(header, () => {
            const read = value.read(text);
            if (path === "state") checkState(String(read), { spec, op });
            fields.push([path, read]);
          });
        } else if (op === "create" || spec.updatable.includes(path)) {
          parents.push({ path, kind: parent, id: text, header });
        }
      }
      this.#required(entity, {
        spec,
        op,
        present: [...fields.map(([path]) => path), ...parents.map(({ path }) => path)],
      });
    }
    return { ...this.#place, kind: entity.kind, op, id, fields, parents, entity };
  }

  /** Refuses a create without what every entity of its kind has, and an update with nothing to update. */
  #required(
    entity: SheetEntity,
    { spec, op, present }: { spec: ResourceSpec; op: SheetRow["op"]; present: readonly string[] },
  ): void {
    const has = (field: string): boolean =>
      present.some((path) => path === field || path.startsWith(`${field}.`));
    if (op === "update") {
      if (!spec.updatable.some(has)) this.#refuse("", "it has nothing that an update can change");
      return;
    }
    const required = requiredAnywhere(spec);
    for (const { header, path } of entity.columns) {
      const [field = ""] = path.split(".");
      if (field === path && required.includes(field) && !has(field)) {
        this.#refuse(header, "it is empty, and a new one needs it");
      }
    }
    if (required.includes("budget") && !has("budget")) {
      this.#refuse("Budget", "it is empty, and a new one needs it");
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
    this.#try("Placement", () => placement = adjustment.placement.read(this.#cell("Placement")));
    this.#try("Percentage", () => percentage = PERCENT.read(this.#cell("Percentage")));
    const fields = [[adjustment.path, [{ placement, percentage }]]] as const;
    return { ...this.#place, kind: adjustment.kind, op, id, fields, parents: [], entity: adjustment };
  }

  #cell(header: string): string {
    return this.#text(header).trim();
  }

  /** An id as it was written; a spreadsheet that has rounded it is noticed. */
  #id(header: string): string {
    const text = this.#cell(header);
    if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) {
      this.#refuse(
        header,
        `${text} is a rounded number whose last digits are lost: format the column as text`,
      );
    } else if (this.#isFormula(header)) this.#refuse(header, "it holds a formula: paste its value");
    return text;
  }

  #try(header: string, step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#refuse(header, error.message);
    }
  }

  #refuse(header: string, message: string): void {
    this.problems.push({ ...this.#place, header, message });
  }
}

/** @throws {RangeError} for a state that the operation of the row cannot set. */
function checkState(
  state: string,
  { spec: { settableStates, bornEnabled }, op }: { spec: ResourceSpec; op: SheetRow["op"] },
): void {
  const word = state.toUpperCase();
  if (word === "ARCHIVED") throw new RangeError("archived is no state to write: use the Operation archive");
  if (!settableStates.includes(word)) {
    const known = settableStates.map((one) => one.toLowerCase()).join(", ");
    throw new RangeError(`"${state.toLowerCase()}" cannot be set: expected one of ${known}`);
  }
  if (op === "create" && bornEnabled && word !== "ENABLED") {
    throw new RangeError("the platform enables every new one: leave it empty, and change it afterwards");
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The same text with memory of its own: a part of a text that was cut out keeps the whole of it in memory. */
function detached(text: string): string {
  return text.length < 13 ? text : decoder.decode(encoder.encode(text));
}

/** Fields of an entity from fields by paths. */
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
