import { isObject } from "../../base/json/is_object.ts";
import type { BatchError, BatchSuccess } from "./batch_error.ts";
import { BatchResult } from "./batch_result.ts";
import { failure, itemError } from "./item_error.ts";
import { type Fields, fieldsOf } from "../../base/json/fields_of.ts";
import { verdictEntries, type VerdictKind } from "./verdict_entries.ts";

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
