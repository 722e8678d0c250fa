import { fieldsOf } from "../../base/json/fields_of.ts";
import type { Change, EntityFields } from "./change.ts";

/** A planned call of an operation. Field names are those of plan files. */
export interface PlannedCall {
  /** Id of the operation. */
  readonly operation: string;
  /** Method and path that were reviewed, for example `PUT /sd/campaigns`. */
  readonly request: string;
  /** Values for the placeholders of the path. */
  readonly path_params?: EntityFields;
  /** Query parameters. */
  readonly query?: EntityFields;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media type of the body, if the caller chose one. */
  readonly content_type?: string;
  /** Media type of the response, if the caller chose one. */
  readonly accept?: string;
  /** Body; ids past 2^53 are strings of digits. */
  readonly body?: unknown;
  /** Rows of a file that are added to the body when it is sent. */
  readonly rows?: PlannedRows;
  /** File that is uploaded before the call, which registers it. */
  readonly file?: PlannedFile;
}

/** An image or a video that a plan uploads. A plan contains its digest, not its bytes. */
export interface PlannedFile {
  /** Path of the file. */
  readonly file: string;
  /** Row of the manifest, as a spreadsheet counts; in a folder, the number of the file by name. */
  readonly row: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  /** Ending of its name on the platform, by its bytes. */
  readonly ending: string;
  /** Media type of its bytes. */
  readonly content_type: string;
}

/** Rows of an upload file. A plan contains neither the rows nor their values, which are personal data. */
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

/** Current state of the entities that a call overwrites, as far as an operation can read it. */
export interface CallState {
  /** The current values, in the form of the call's body. */
  readonly body?: unknown;
  /** Entity that a call without a body removes or changes. */
  readonly entity?: unknown;
  /** Id of the entity that a call creates, if it exists. */
  readonly id?: string;
  /** Call that restores the state, if it is not simply the same call with the earlier values. */
  readonly undo?: PlannedCall;
}

export function plannedCall({ op, after }: Pick<Change, "op" | "after">): PlannedCall | undefined {
  return op === "call" ? callOf(after) : undefined;
}

export function undoingCall({ before: { undo } }: Pick<Change, "before">): PlannedCall | undefined {
  return undo === undefined ? undefined : callOf(fieldsOf(undo));
}

function callOf(fields: EntityFields): PlannedCall {
  const { operation, request, path_params, query, headers, content_type, accept, body, rows, file } = fields;
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
    ...(file === undefined ? {} : { file: fileOf(fieldsOf(file)) }),
  };
}

function fileOf({ file, row, bytes, sha256, ending, content_type }: EntityFields): PlannedFile {
  return {
    file: String(file),
    row: Number(row),
    bytes: Number(bytes),
    sha256: String(sha256),
    ending: String(ending),
    content_type: String(content_type),
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

export function idText({ op, id }: Pick<Change, "op" | "id">): string {
  return id ?? (op === "call" ? "" : "(new)");
}

export function groupName({ op, kind }: Pick<Change, "op" | "kind">): string {
  return op === "call" ? op : `${op} ${kind}`;
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, text]) => [name, String(text)]));
}
