import { fieldsOf } from "../../base/json/fields_of.ts";
import type { Change, EntityFields } from "./change.ts";

/** A call of an operation, as a plan holds it. Names are those of plan files. */
export interface PlannedCall {
  /** Id of the operation. */
  readonly operation: string;
  /** Method and path that were reviewed, for example `PUT /sd/campaigns`. */
  readonly request: string;
  /** Values for the placeholders of the path. */
  readonly path_params?: EntityFields;
  /** Query parameters. */
  readonly query?: EntityFields;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, where the caller chose one. */
  readonly content_type?: string;
  /** Media type of the response, where the caller chose one. */
  readonly accept?: string;
  /** Body; ids past 2^53 are texts of digits. */
  readonly body?: unknown;
  /** Rows of a file that the body gets when it is sent. */
  readonly rows?: PlannedRows;
}

/** Rows of an upload file. A plan has neither the rows nor their values, which are personal. */
export interface PlannedRows {
  /** Path of the upload file. */
  readonly file: string;
  /** SHA-256 of its text. */
  readonly sha256: string;
  /** First row, as a spreadsheet counts: the header is row 1. */
  readonly first: number;
  /** Last row, included. */
  readonly last: number;
  /** True to hash personal values that are not hashed yet. */
  readonly hash: boolean;
}

/** Present state of the entities that a call writes over, as far as an operation reads it. */
export interface CallState {
  /** The values now, in the form of the body of the call. */
  readonly body?: unknown;
  /** Entity that a call without a body removes or changes. */
  readonly entity?: unknown;
  /** Call that restores the state, where it is another one than the same call with the earlier values. */
  readonly undo?: PlannedCall;
}

/** The call of a change; `undefined` for a change of an entity. */
export function plannedCall({ op, after }: Pick<Change, "op" | "after">): PlannedCall | undefined {
  return op === "call" ? callOf(after) : undefined;
}

/** The call that takes back the call of a change, where the state before it names one. */
export function undoingCall({ op, before }: Pick<Change, "op" | "before">): PlannedCall | undefined {
  const { undo } = before;
  return op === "call" && undo !== undefined ? callOf(fieldsOf(undo)) : undefined;
}

function callOf(fields: EntityFields): PlannedCall {
  const { operation, request, path_params, query, headers, content_type, accept, body, rows } = fields;
  return {
    operation: String(operation),
    request: String(request),
    ...(path_params === undefined ? {} : { path_params: fieldsOf(path_params) }),
    ...(query === undefined ? {} : { query: fieldsOf(query) }),
    ...(headers === undefined ? {} : { headers: texts(headers) }),
    ...(typeof content_type === "string" ? { content_type } : {}),
    ...(typeof accept === "string" ? { accept } : {}),
    ...(body === undefined ? {} : { body }),
    ...(rows === undefined ? {} : { rows: rowsOf(fieldsOf(rows)) }),
  };
}

function rowsOf({ file, sha256, first, last, hash }: EntityFields): PlannedRows {
  return {
    file: String(file),
    sha256: String(sha256),
    first: Number(first),
    last: Number(last),
    hash: hash === true,
  };
}

/** Text before the label of a change: its id, `(new)` without one, nothing for a call. */
export function idText({ op, id }: Pick<Change, "op" | "id">): string {
  return id ?? (op === "call" ? "" : "(new)");
}

/** Name of a group of like changes: `update sp.keywords`, `call` for calls of operations. */
export function groupName({ op, kind }: Pick<Change, "op" | "kind">): string {
  return op === "call" ? op : `${op} ${kind}`;
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, text]) => [name, String(text)]));
}
