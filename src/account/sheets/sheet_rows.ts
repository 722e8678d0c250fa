import type { ChangeOperation, EntityFields } from "../../plans/model/change.ts";
import { KINDS } from "../../client/entities/kinds.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { requiredAnywhere } from "../../client/entities/wire/wire_of.ts";
import { SHEET_PRODUCTS, type SheetProduct } from "./products.ts";
import type { SheetAdjustment, SheetEntity } from "./sheet_entity.ts";
import { detached } from "../../base/text/detached.ts";
import { bulkHead, headKey } from "../tables/bulk_head.ts";
import type { FileKnowledge } from "../tables/console_headers.ts";
import { foreignCurrency, isOnlyOf } from "../tables/currency_marks.ts";
import { type FoundTable, openTables, readTables, type SheetFile } from "../tables/open_tables.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { WideRows } from "../tables/wide_rows.ts";
import type { SheetWords } from "../tables/words.ts";
import { type BulkHints, BulkTable, entityWord, FileForm, OpenValue } from "./bulk_table.ts";
import { PERCENT, TEXT } from "./sheet_values.ts";
import {
  hiddenRowNotices,
  noBulkSheet,
  sourceNotices,
  tableNotices,
  titleNotices,
} from "./sheet_findings.ts";

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
  /** False where a column is there twice, or rows are of several accounts, so that no row can be trusted. */
  readonly isUsable: boolean;
  /** Remarks about the file: other tabs, formulas, words that were translated. */
  readonly notices: readonly string[];
}

const OPERATIONS: Readonly<Record<string, SheetRow["op"]>> = {
  create: "create",
  update: "update",
  archive: "archive",
};

/** How a sheet is read, beside what it shows itself. */
export interface SheetReadingHints extends BulkHints {
  /** Encoding of a CSV file. @default what its bytes show */
  readonly encoding?: string | undefined;
  /** The one tab to read. @default every bulk sheet in the file */
  readonly tab?: string | undefined;
  /** Country of the account, for amounts with a sign of a currency. @default such amounts are refused */
  readonly countryCode?: string | undefined;
}

/**
 * Reads what the rows of a bulk file ask for. Rows with a blank operation and columns that are not known are passed over;
 * so are other tabs, each with a remark.
 *
 * @throws {SheetFileError} when the file cannot be read, or has no bulk sheet.
 */
export function readSheetRows(
  file: SheetFile,
  { lists, words }: FileKnowledge,
  hints: SheetReadingHints = {},
): SheetRows {
  const source = openTables(file, hints);
  const { map = {} } = hints;
  const form = new FileForm(hints, source);
  const read: SheetRow[] = [];
  const problems: RowProblem[] = [];
  const tables: {
    tab: string;
    table: BulkTable;
    owners: OwnerColumns;
    wide: WideRows;
    titles: readonly string[];
  }[] = [];
  const others: FoundTable[] = [];
  const hidden: number[] = [];
  let ignored = 0;
  let isUsable = true;
  readTables(source, {
    score: (cells) => bulkHead(cells, { words, map }) === undefined ? 0 : Infinity,
    begin: (found) => {
      const { tab, head } = found;
      if (hints.tab !== undefined && hints.tab !== tab) return undefined;
      const columns = head === undefined ? undefined : bulkHead(head.cells, { words, map });
      if (head === undefined || columns === undefined) {
        others.push(found);
        return undefined;
      }
      const table = new BulkTable(columns, { words, map, form });
      for (const problem of table.doubled()) {
        problems.push({ tab, row: head.number, ...problem });
        isUsable = false;
      }
      const owners = new OwnerColumns(columns.at, { head: head.cells, countryCode: hints.countryCode });
      const wide = new WideRows(head, source);
      tables.push({ tab, table, owners, wide, titles: titleNotices(found) });
      return (line) => {
        if (line.cells.every((cell) => cell.trim() === "")) return;
        wide.take(line);
        const reader = new RowReader({ tab, line, table, words });
        const row = reader.read();
        if (row === "ignored") ignored += 1;
        else {
          owners.take(line);
          table.use(line);
          if (line.isHidden) hidden.push(line.number);
        }
        problems.push(...reader.problems);
        if (typeof row === "object" && reader.problems.length === 0) read.push(row);
      };
    },
  });
  if (tables.length === 0) throw noBulkSheet(source, others, { lists, wanted: hints.tab });
  for (const { tab, owners, wide } of tables) {
    for (const problem of [...owners.problems(), ...wide.problems()]) {
      problems.push({ tab, ...problem });
      isUsable = false;
    }
  }
  const settle = form.settled();
  const rows = read.flatMap((row) =>
    settledRow(row, { settle, problems, countryCode: hints.countryCode }) ?? []
  );
  const notices = [
    ...sourceNotices(source),
    ...hiddenRowNotices(hidden),
    ...others.map(({ tab }) => `Tab "${tab}" is not read: it is not a bulk sheet`).filter(() =>
      tables.length > 0
    ),
    ...tables.flatMap(({ tab, table, titles }) => [...titles, ...tableNotices(table, tab)]),
  ];
  return { rows, problems, ignored, notices, isUsable };
}

/** A row whose amounts and days are decided; `undefined` where one of them cannot be used. */
function settledRow(
  row: SheetRow,
  { settle, problems, countryCode }: {
    settle: ReturnType<FileForm["settled"]>;
    problems: RowProblem[];
    countryCode: string | undefined;
  },
): SheetRow | undefined {
  if (!row.fields.some(([, value]) => value instanceof OpenValue)) return row;
  const { tab, row: number, entity } = row;
  const found = problems.length;
  const fields = row.fields.map(([path, value]): SheetRow["fields"][number] => {
    if (!(value instanceof OpenValue)) return [path, value];
    const header = ("columns" in entity
      ? entity.columns.find((one) => one.path === path)?.header
      : undefined) ?? "";
    try {
      const { value: settled, currency } = settle(value);
      // A format may have a sign that several currencies share; in a text it is somebody's own.
      const isOwn = countryCode !== undefined && (value.kind === "number"
        ? foreignCurrency(currency ?? "", countryCode) === undefined
        : isOnlyOf(currency ?? "", countryCode));
      if (currency !== undefined && !isOwn) {
        const of = countryCode === undefined ? "the account" : countryCode;
        throw new RangeError(
          `"${value.text}": "${currency}" is not surely the currency of ${of}. Write the amount without a sign`,
        );
      }
      return [path, settled];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push({ tab, row: number, header, message: error.message });
      return [path, value];
    }
  });
  return problems.length > found ? undefined : { ...row, fields };
}

class RowReader {
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
        `"${operation}" is not known: expected create, update, archive or nothing`,
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

  /** Refuses a create without what every entity of its kind has, and an update with nothing to update. */
  #required(
    entity: SheetEntity,
    { spec, op, present }: { spec: ResourceSpec; op: SheetRow["op"]; present: readonly string[] },
  ): void {
    const has = (field: string): boolean =>
      present.some((path) => path === field || path.startsWith(`${field}.`));
    if (op === "update") {
      if (!spec.updatable.some(has) && this.problems.length === 0) {
        this.#refuse("", "it has nothing that an update can change");
      }
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

  /** The cell as it is written where a plain text was read from it. */
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

  /** Names a cell once, for the first thing that is wrong with it. */
  #refuse(header: string, message: string): void {
    if (header !== "" && this.problems.some((one) => one.header === header)) return;
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
