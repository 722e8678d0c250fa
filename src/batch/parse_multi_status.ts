import type { BatchError, BatchSuccess } from "./batch_error.ts";
import { BatchResult } from "./batch_result.ts";
import { failure, itemError } from "./item_error.ts";
import { type Fields, fieldsOf } from "../internal/fields_of.ts";

/** How to read a multi-status body where it does not speak for itself. */
export interface MultiStatusOptions {
  /** Field of the body that holds the verdicts, for example `keywords`; found by its shape when absent. */
  readonly entityKey?: string | undefined;
  /** Field with the id of an accepted item, for example `keywordId`; found by its name when absent. */
  readonly idField?: string | undefined;
  /** Added to the platform's indexes, for one part of a longer list. @default 0 */
  readonly offset?: number | undefined;
}

/**
 * Reads the verdicts of a 207 response in any of its three shapes: `{<collection>: {success, error}}`, a bare array in
 * request order, and `{success, partialSuccess, error}`.
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
  const verdicts = Array.isArray(body) ? fromArray(body) : fromLists(body, options.entityKey);
  const successes = new Map<number | Fields, BatchSuccess<Item, Entity>>();
  const errors = new Map<number | Fields, BatchError<Item>>();

  for (const { index, entry, kind } of verdicts) {
    if (items !== undefined && !(index in items)) continue;
    const fields = fieldsOf(entry);
    const place = { index: index + offset, item: items?.[index] };
    // A verdict that names no item stands for itself.
    const key = Number.isNaN(index) ? fields : index;
    if (kind === "success") {
      successes.set(key, readSuccess<Item, Entity>(fields, place, options.idField));
    } else if (!errors.has(key)) {
      errors.set(key, itemError(entry, { ...place, outcome: kind === "partial" ? "partial" : "refused" }));
    }
  }
  for (const index of errors.keys()) successes.delete(index);
  items?.forEach((item, index) => {
    if (successes.has(index) || errors.has(index)) return;
    const place = { index: index + offset, item, outcome: "unknown" as const };
    errors.set(
      index,
      failure(place, { code: "NO_VERDICT", message: "The response does not mention this item", raw: body }),
    );
  });
  return new BatchResult([...successes.values()], [...errors.values()]);
}

interface Verdict {
  index: number;
  entry: unknown;
  kind: "success" | "partial" | "error";
}

function fromArray(body: unknown[]): Verdict[] {
  return body.map((entry, index) => ({
    index,
    entry,
    kind: isAccepted(fieldsOf(entry)) ? "success" : "error",
  }));
}

/** An entry without a code is a success only where it gives an id and no word of complaint. */
function isAccepted(entry: Fields): boolean {
  const { code } = entry;
  if (code !== undefined) return code === "SUCCESS" || String(code) === "200";
  const complains = ["errors", "description", "details", "message"].some((name) => name in entry);
  return !complains && Object.keys(entry).some((name) => name.endsWith("Id"));
}

function fromLists(body: unknown, entityKey: string | undefined): Verdict[] {
  const lists = findLists(body, entityKey);
  if (lists === undefined) {
    throw new TypeError(
      "Cannot read the verdicts of a batch: the body has neither a success nor an error list",
    );
  }
  const verdicts: Verdict[] = [];
  const add = (list: unknown, kind: Verdict["kind"]): void => {
    if (!Array.isArray(list)) return;
    for (const entry of list) verdicts.push({ index: indexOf(fieldsOf(entry)), entry, kind });
  };
  add(lists["success"], "success");
  add(lists["partialSuccess"], "partial");
  add(lists["error"], "error");
  return verdicts;
}

function indexOf({ index }: Fields): number {
  return typeof index === "number" || (typeof index === "string" && index !== "") ? Number(index) : NaN;
}

function findLists(body: unknown, entityKey: string | undefined): Fields | undefined {
  const fields = fieldsOf(body);
  if (entityKey !== undefined && hasLists(fields[entityKey])) return fieldsOf(fields[entityKey]);
  if (hasLists(fields)) return fields;
  for (const value of Object.values(fields)) if (hasLists(value)) return fieldsOf(value);
  return undefined;
}

function hasLists(value: unknown): boolean {
  const fields = fieldsOf(value);
  return ["success", "error", "partialSuccess"].some((name) => Array.isArray(fields[name]));
}

function readSuccess<Item, Entity>(
  entry: Fields,
  { index, item }: { index: number; item: Item | undefined },
  idField?: string,
): BatchSuccess<Item, Entity> {
  let inner: string | undefined;
  for (const name in entry) {
    const value = entry[name];
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
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
