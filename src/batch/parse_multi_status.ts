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
  const verdicts = new Verdicts<Item, Entity>();
  const read = (entry: unknown, index: number, kind: Kind): void => {
    if (items !== undefined && !(index in items)) return;
    const item = items?.[index];
    const fields = fieldsOf(entry);
    // A verdict that names no item stands for itself.
    const key = Number.isNaN(index) ? fields : index;
    if (kind === "success") {
      verdicts.succeed(key, readSuccess(fields, { index: index + offset, item }, options.idField));
    } else if (!verdicts.hasFailed(key)) {
      const outcome = kind === "partial" ? "partial" : "refused";
      verdicts.fail(key, itemError(entry, { index: index + offset, item, outcome }));
    }
  };
  if (Array.isArray(body)) {
    body.forEach((entry, index) => read(entry, index, isAccepted(fieldsOf(entry)) ? "success" : "error"));
  } else {
    const lists = verdictLists(body, options.entityKey);
    for (const [name, kind] of LISTS) {
      const list = lists[name];
      if (!Array.isArray(list)) continue;
      for (const entry of list) read(entry, indexOf(fieldsOf(entry)), kind);
    }
  }
  items?.forEach((item, index) => {
    if (verdicts.has(index)) return;
    const what = { code: "NO_VERDICT", message: "The response does not mention this item", raw: body };
    verdicts.fail(index, failure({ index: index + offset, item, outcome: "unknown" }, what));
  });
  return verdicts.result();
}

type Kind = "success" | "partial" | "error";

/** Successes are read first, so that a failure of the same item takes their place. */
const LISTS: readonly [name: string, kind: Kind][] = [
  ["success", "success"],
  ["partialSuccess", "partial"],
  ["error", "error"],
];

/** Verdicts by the item that they are on. */
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

/** An entry without a code is a success only where it gives an id and no word of complaint. */
function isAccepted(entry: Fields): boolean {
  const { code } = entry;
  if (code !== undefined) return code === "SUCCESS" || String(code) === "200";
  const complains = ["errors", "description", "details", "message"].some((name) => name in entry);
  return !complains && Object.keys(entry).some((name) => name.endsWith("Id"));
}

function verdictLists(body: unknown, entityKey: string | undefined): Fields {
  const lists = findLists(body, entityKey);
  if (lists !== undefined) return lists;
  throw new TypeError(
    "Cannot read the verdicts of a batch: the body has neither a success nor an error list",
  );
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
