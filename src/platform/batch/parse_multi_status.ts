import { type Fields, fieldsOf, isObject } from "../../base/json/fields_of.ts";
import type { BatchError, BatchSuccess } from "./batch_error.ts";
import { BatchResult } from "./batch_result.ts";
import { failure, itemError } from "./item_error.ts";

/** Hints for reading a multi-status body that is ambiguous. */
export interface MultiStatusOptions {
  /** Field of the body that holds the verdicts, for example `keywords`; detected by its shape if absent. */
  readonly entityKey?: string | undefined;
  /** Field with the id of an accepted item, for example `keywordId`; detected by its name if absent. */
  readonly idField?: string | undefined;
  /** Added to the platform's indexes, for one part of a longer list. @default 0 */
  readonly offset?: number | undefined;
}

/**
 * Reads the verdicts of a 207 response in any published shape: lists of successes and failures, at the top or below a
 * collection, a list of responses, and a bare array in request order.
 *
 * @param items What was sent, in order; pairs each verdict with its item, and makes an item that the response does not
 * mention an error with code `NO_VERDICT`.
 * @throws {TypeError} when the body has none of the shapes.
 *
 * @example
 * ```ts
 * import { parseMultiStatus } from "@platform/ads";
 *
 * const body = { keywords: { success: [{ index: 0, keywordId: "7" }], error: [] } };
 * const result = parseMultiStatus(body, [{ bid: 1 }, { bid: 2 }]);
 * console.log(result.ids, result.errors[0]?.code); // [ "7" ] NO_VERDICT
 * ```
 */
export function parseMultiStatus<Item = unknown, Entity = unknown>(
  body: unknown,
  items?: readonly Item[],
  options: MultiStatusOptions = {},
): BatchResult<Item, Entity> {
  const offset = options.offset ?? 0;
  const verdicts = new Verdicts<Item, Entity>();
  const read = (entry: unknown, index: number, kind: VerdictKind): void => {
    if (items !== undefined && !(index in items)) return;
    const item = items?.[index];
    const fields = fieldsOf(entry);
    // A verdict that names no item stands for itself.
    const key = Number.isNaN(index) ? fields : index;
    if (kind === "success") {
      verdicts.succeed(key, readSuccess(fields, { index: index + offset, item }, options.idField));
    } else if (!verdicts.hasFailed(key)) {
      const place = { index: index + offset, item };
      if (kind === "partial") verdicts.fail(key, readPartial<Item, Entity>(fields, place, options.idField));
      else {
        const outcome = kind === "unknown" ? "unknown" : "refused";
        verdicts.fail(key, itemError(entry, { ...place, outcome }));
      }
    }
  };
  const entries = verdictEntries(body, options.entityKey);
  if (entries === undefined) {
    throw new TypeError(
      "Cannot read the verdicts of a batch: the body has neither a success nor an error list",
    );
  }
  for (const { entry, index, kind } of entries) read(entry, index, kind);
  items?.forEach((item, index) => {
    if (verdicts.has(index)) return;
    const what = { code: "NO_VERDICT", message: "The response does not mention this item", raw: body };
    verdicts.fail(index, failure({ index: index + offset, item, outcome: "unknown" }, what));
  });
  return verdicts.result();
}

class Verdicts<Item, Entity> {
  readonly #verdicts = new Map<number | Fields, BatchSuccess<Item, Entity> | BatchError<Item>>();

  has(key: number | Fields): boolean {
    return this.#verdicts.has(key);
  }

  hasFailed(key: number | Fields): boolean {
    const verdict = this.#verdicts.get(key);
    return verdict !== undefined && "outcome" in verdict;
  }

  succeed(key: number | Fields, success: BatchSuccess<Item, Entity>): void {
    this.#verdicts.set(key, success);
  }

  fail(key: number | Fields, error: BatchError<Item>): void {
    this.#verdicts.set(key, error);
  }

  result(): BatchResult<Item, Entity> {
    return BatchResult.of(this.#verdicts.values());
  }
}

function readPartial<Item, Entity>(
  entry: Fields,
  place: { index: number; item: Item | undefined },
  idField?: string,
): BatchError<Item> {
  const { errors: _, ...done } = entry;
  const { id, entity } = readSuccess<Item, Entity>(done, place, idField);
  const error = itemError(entry, { ...place, outcome: "partial" });
  return {
    ...error,
    transient: false,
    ...(id === undefined ? {} : { id }),
    ...(entity === undefined ? {} : { entity }),
  };
}

function readSuccess<Item, Entity>(
  entry: Fields,
  { index, item }: { index: number; item: Item | undefined },
  idField?: string,
): BatchSuccess<Item, Entity> {
  let inner: string | undefined;
  for (const name in entry) {
    const value = entry[name];
    if (!isObject(value)) continue;
    inner = name;
    break;
  }
  const entity = inner === undefined ? undefined : entry[inner] as Fields;
  let id = idField === undefined ? undefined : entry[idField] ?? entity?.[idField];
  if (id === undefined || id === null) {
    const inferred = Object.keys(entry).find((name) => name.endsWith("Id")) ?? `${inner}Id`;
    id = entry[inferred] ?? entity?.[inferred];
  }
  return {
    index,
    item,
    id: typeof id === "string" || typeof id === "number" ? String(id) : undefined,
    entity: entity as Entity | undefined,
  };
}

type VerdictKind = "success" | "partial" | "error" | "unknown";

interface VerdictEntry {
  readonly entry: unknown;
  /** Position of the item in the request; `NaN` if the entry names none. */
  readonly index: number;
  readonly kind: VerdictKind;
}

const LISTS: readonly [name: RegExp, kind: VerdictKind][] = [
  [/^(success(es|List)?|\w+SuccessResults)$/, "success"],
  [/^partialSuccess$/, "partial"],
  [/^(errors?|errors?List|failed|failures?|failed[A-Z]\w*|\w+ErrorResults)$/, "error"],
];

const MIXED = /^(responses|results)$/;

/**
 * Handles all published shapes: lists of successes and failures under several names, at the top level or one below; a
 * list of responses; an array in request order.
 *
 * @param entityKey Field with the lists, if known.
 * @returns `undefined` for a body without item entries.
 */
export function verdictEntries(body: unknown, entityKey?: string): VerdictEntry[] | undefined {
  if (Array.isArray(body)) return body.map((entry, index) => ({ entry, index, kind: kindOf(entry) }));
  const fields = fieldsOf(body);
  const inner = entityKey === undefined ? undefined : listsIn(fields[entityKey]);
  const lists = inner ?? listsIn(fields) ?? firstOf(Object.values(fields), listsIn);
  if (lists !== undefined) return lists;
  const [, mixed] =
    Object.entries(fields).find(([name, value]) => MIXED.test(name) && Array.isArray(value)) ?? [];
  return (mixed as unknown[] | undefined)?.map((entry, at) => {
    const index = indexOf(fieldsOf(entry));
    return { entry, index: Number.isNaN(index) ? at : index, kind: kindOf(entry) };
  });
}

export function bodyVerdict(body: unknown): VerdictKind {
  const fields = fieldsOf(body);
  if (fields["success"] === false) return "error";
  const { code, status } = fields;
  if (code !== undefined && code !== null) return isSuccessCode(code) ? "success" : "error";
  if (/^(fail|reject|error|invalid)/i.test(String(status))) return "error";
  return complains(fields, ["errors", "error", "errorDetails"]) ? "error" : "success";
}

function listsIn(value: unknown): VerdictEntry[] | undefined {
  const fields = fieldsOf(value);
  let found = false;
  const entries: VerdictEntry[] = [];
  for (const [pattern, kind] of LISTS) {
    for (const [name, list] of Object.entries(fields)) {
      if (!pattern.test(name) || !Array.isArray(list)) continue;
      found = true;
      for (const entry of list) {
        const own = fieldsOf(entry);
        entries.push({
          entry,
          index: indexOf(own),
          kind: kind === "success" && hasFailed(own) ? "error" : kind,
        });
      }
    }
  }
  return found ? entries : undefined;
}

function firstOf<Value, Result>(
  values: readonly Value[],
  find: (value: Value) => Result | undefined,
): Result | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf(entry: unknown): VerdictKind {
  const fields = fieldsOf(entry);
  if (fields["code"] !== undefined && fields["code"] !== null) {
    return isSuccessCode(fields["code"]) ? "success" : "error";
  }
  if (hasFailed(fields)) return "error";
  if (
    ["errors", "description", "details", "message"].some((name) => name in fields && !isEmpty(fields[name]))
  ) {
    return "error";
  }
  const ids = (one: Fields): boolean =>
    Object.keys(one).some((name) => /(Id|ID)$|^id$/.test(name) && one[name] !== null);
  return ids(fields) || Object.values(fields).some((value) => ids(fieldsOf(value))) ? "success" : "unknown";
}

function hasFailed(fields: Fields): boolean {
  const { code } = fields;
  if (code !== undefined && code !== null && !isSuccessCode(code)) return true;
  if (complains(fields, COMPLAINTS)) return true;
  for (const value of Object.values(fields)) {
    if (typeof value === "object" && value !== null && complains(value as Fields, INNER_COMPLAINTS)) {
      return true;
    }
  }
  return false;
}

const COMPLAINTS = ["errors", "error", "errorDetails", "errorCode", "failureReason", "subErrors"];
const INNER_COMPLAINTS = COMPLAINTS.slice(0, 3);

function complains(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => name in fields && !isEmpty(fields[name]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" ||
    typeof value === "object" && Object.keys(value).length === 0;
}

function isSuccessCode(code: unknown): boolean {
  return /^(success|successful|ok|2\d\d)$/i.test(String(code));
}

function indexOf(fields: Fields): number {
  const index = fields["index"] ?? fields["targetRequestIndex"];
  return typeof index === "number" || (typeof index === "string" && index !== "") ? Number(index) : NaN;
}
