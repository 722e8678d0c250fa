import { sameValue } from "../../../base/json/canonical_json.ts";
import { fieldsOf, isObject } from "../../../base/json/fields_of.ts";
import { requiredId } from "../../../base/json/id_of.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";
import { withPlainAmounts } from "../../../plans/state/amounts.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import { withArticle } from "../../../platform/catalog/kind_names.ts";
import { checkList } from "./check_options.ts";
import type { ResourceSpec } from "./resource_spec.ts";
import type { Fields } from "./resource_wire.ts";
import { apiFields, camelCase } from "./to_api.ts";

const INTEGER_ID = /^\d{1,20}$/;
const ANY_ID = /^[A-Za-z0-9._-]+$/;

export function checkIds(spec: ResourceSpec, ids: readonly string[]): string[] {
  checkList(ids, "ids");
  for (const id of ids) checkId(spec, id);
  return [...new Set(ids)];
}

function checkId(spec: ResourceSpec, id: string): void {
  if (isId(spec, id)) return;
  throw new TypeError(
    `Cannot find ${withArticle(spec.noun)} by ${
      JSON.stringify(id) ?? String(id)
    }: it is not a ${spec.idField}`,
  );
}

export function isId(spec: ResourceSpec, id: unknown): id is string {
  return typeof id === "string" && (spec.integerIds ? INTEGER_ID : ANY_ID).test(id);
}

export function prepareCreates(spec: ResourceSpec, items: readonly unknown[]): Fields[] {
  checkList(items, "items to create");
  const ready = prepareEach(items, (input, index) => prepareCreate(spec, input, index));
  spec.checkCreate?.(ready);
  return ready;
}

export function prepareCreate(spec: ResourceSpec, input: unknown, index: number): Fields {
  const item = prepare(spec, apiFields(input), undefined);
  checkNumbers(spec, item, index);
  return withNewState(spec, item, index);
}

export function prepareUpdates(spec: ResourceSpec, items: readonly unknown[]): Fields[] {
  checkList(items, "items to update");
  return prepareEach(items, (input, index) => prepareUpdate(spec, input, { index }));
}

function prepareEach(
  items: readonly unknown[],
  prepareItem: (input: unknown, index: number) => Fields,
): Fields[] {
  const bad = new BadItems();
  const ready = items.map((input, index) => bad.attempt(index, () => prepareItem(input, index)) ?? {});
  bad.refuse();
  return ready;
}

export function prepareUpdate(
  spec: ResourceSpec,
  input: unknown,
  { index, existing, mayBeEmpty = false }: {
    index: number;
    existing?: Fields | undefined;
    mayBeEmpty?: boolean;
  },
): Fields {
  const item = prepare(spec, apiFields(input, spec.clearable), existing);
  const id = item[spec.idField];
  if (typeof id !== "string" || id === "") {
    throw new TypeError(`Cannot update item ${index}: it has no "${spec.idField}"`);
  }
  checkId(spec, id);
  const update: Fields = { [spec.idField]: id };
  if (spec.repeated !== undefined) pick(item, spec.repeated, update);
  if (pick(item, spec.updatable, update) === 0 && !mayBeEmpty) {
    const advice = Object.keys(item).map((field) => spec.advice?.[field]).find((text) => text !== undefined);
    throw new TypeError(
      `Cannot update ${spec.noun} ${id}: none of its fields can be changed. Updatable are ${
        spec.updatable.join(", ")
      }${advice === undefined ? "" : `. ${advice}`}`,
    );
  }
  checkNumbers(spec, update, index);
  if (update["state"] !== undefined) update["state"] = stateOnWire(spec, update["state"]);
  return update;
}

/** @param existing Current entity; fields with an equal value are not reported. */
export function ignoredFields(spec: ResourceSpec, input: unknown, existing: Fields = {}): string[] {
  const isKnown = (field: string): boolean => spec.updatable.includes(field) || spec.idFields.includes(field);
  let hasOthers = false;
  for (const field in fieldsOf(input)) hasOthers ||= !isKnown(field);
  if (!hasOthers) return [];
  const item = withoutComputed(spec, apiFields(input));
  return Object.keys(item).filter((field) =>
    !isKnown(field) && !sameValue(mergeFields(existing[field], item[field]), existing[field])
  );
}

/** Returns the paths at which an update has `null` but the value cannot be cleared. */
export function keptValues(spec: ResourceSpec, input: unknown, existing: Fields): string[] {
  return spec.updatable.length === 0 ? [] : nullsOver(input, existing, { spec, path: "" });
}

function nullsOver(
  input: unknown,
  existing: unknown,
  { spec, path }: { readonly spec: ResourceSpec; readonly path: string },
): string[] {
  if (!isObject(input) || !isObject(existing)) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    const key = camelCase(name);
    if (path === "" && !spec.updatable.includes(key)) return [];
    const whole = path === "" ? key : `${path}.${key}`;
    if (value !== null) return nullsOver(value, existing[key], { spec, path: whole });
    return (existing[key] ?? null) === null || spec.clearable?.includes(whole) ? [] : [whole];
  });
}

export function keptText({ noun, clearable = [] }: ResourceSpec, kept: Iterable<string>): string | undefined {
  const paths = [...new Set(kept)];
  if (paths.length === 0) return undefined;
  const can = clearable.length === 0 ? "nothing" : clearable.join(", ");
  return `Kept, because null does not empty them: ${paths.join(", ")}. Of ${
    withArticle(noun)
  }, null empties ${can}`;
}

export function ignoredText(spec: ResourceSpec, ignored: Iterable<string>): string | undefined {
  const names = [...new Set(ignored)];
  if (names.length === 0) return undefined;
  const advice = names.flatMap((name) => spec.advice?.[name] ?? []);
  const fields = spec.updatable.join(", ");
  return [
    `Left out, because an update cannot change them: ${names.join(", ")}. It can change ${fields}`,
    ...advice,
  ]
    .join(". ");
}

export function stateOnWire(spec: ResourceSpec, state: unknown): string {
  const upper = String(state).toUpperCase();
  if (!spec.settableStates.includes(upper)) {
    const advice = upper === "ARCHIVED" ? ". Archiving is permanent and has a method of its own: delete" : "";
    throw new TypeError(
      `Cannot set the state of ${withArticle(spec.noun)} to ${JSON.stringify(state)}: it can be ${
        spec.settableStates.join(" or ")
      }${advice}`,
    );
  }
  return spec.stateCase === "upper" ? upper : upper.toLowerCase();
}

export function withoutComputed(spec: ResourceSpec, entity: Fields): Fields {
  if (spec.computed === undefined) return entity;
  const plain = { ...entity };
  for (const [path, parts] of Object.entries(spec.computed)) {
    const [field = "", each] = path.split(".");
    const value = plain[field];
    if (!isObject(value)) continue;
    plain[field] = each === undefined
      ? withoutParts(value, parts)
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutParts(one, parts)]));
  }
  return plain;
}

function withoutParts(value: unknown, parts: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !parts.includes(name)));
}

function pick(item: Fields, fields: readonly string[], into: Fields): number {
  let picked = 0;
  for (const field of fields) {
    if (item[field] === undefined) continue;
    into[field] = item[field];
    picked++;
  }
  return picked;
}

function withNewState(spec: ResourceSpec, item: Fields, index: number): Fields {
  const { state, ...rest } = item;
  if (state === undefined) return item;
  const upper = String(state).toUpperCase();
  if (!spec.bornEnabled) {
    return { ...item, state: spec.stateCase === "upper" ? upper : upper.toLowerCase() };
  }
  if (upper !== "ENABLED") {
    throw new TypeError(
      `Cannot create item ${index} in state ${JSON.stringify(state)}: the platform enables every new ` +
        `${spec.noun}. Leave the state out, and change it afterwards`,
    );
  }
  return rest;
}

function prepare(spec: ResourceSpec, fields: Fields, existing: Fields | undefined): Fields {
  const item = withoutComputed(spec, fields);
  for (const field of spec.idFields) {
    const value = item[field];
    if (value === undefined) continue;
    // The id of what another change of the same plan creates.
    if (isChangeRef(value)) continue;
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      throw new TypeError(
        `Cannot use ${field} ${value}: a number has lost its last digits. Give ids as strings`,
      );
    }
    if (typeof value === "number" || typeof value === "bigint") item[field] = String(value);
    if (value !== null && spec.integerIds && !isId(spec, item[field])) {
      throw new TypeError(`Cannot use ${JSON.stringify(value)} as a ${field}: it is not an id`);
    }
  }
  const ready = withPlainAmounts(item);
  return spec.normalize?.(ready, existing) ?? ready;
}

function checkNumbers(spec: ResourceSpec, item: Fields, index: number): void {
  for (const field of spec.numeric) {
    const value = item[field];
    if (value !== undefined && value !== null && !(typeof value === "number" && Number.isFinite(value))) {
      const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
      throw new TypeError(`Cannot send item ${index}: its ${field} ${shown} is not a number`);
    }
  }
}

/** Problem of one item of a list. */
export interface BadItem {
  /** Position in the list, counted from 0. */
  readonly index: number;
  /** The problem, and how to solve it. */
  readonly message: string;
}

const MAX_BAD_ITEMS = 100;

/**
 * Items of a list are malformed. All of them are reported at once, and nothing was sent.
 *
 * @example
 * ```ts
 * import { BadItemsError, type ProfileClient } from "@platform/ads";
 *
 * async function plan(us: ProfileClient, items: { keywordId: string; bid: number }[]): Promise<void> {
 *   try {
 *     await us.sp.keywords.planUpdate(items);
 *   } catch (error) {
 *     if (!(error instanceof BadItemsError)) throw error;
 *     for (const { index, message } of error.items) console.error(items[index], message);
 *   }
 * }
 * ```
 */
export class BadItemsError extends TypeError {
  /** The first 100 malformed items, in list order. */
  readonly items: readonly BadItem[];
  /** Number of malformed items. */
  readonly count: number;

  /**
   * Writes the message: the problem of a single item, or a summary of several.
   *
   * @param items The first of them.
   * @param count Number of all malformed items.
   */
  constructor(items: readonly BadItem[], count: number) {
    super(count === 1 ? items[0]?.message : severalText(items, count));
    this.items = items;
    this.count = count;
  }
}

export class BadItems {
  readonly #items: BadItem[] = [];
  #count = 0;

  attempt<Value>(index: number, step: () => Value): Value | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.add(index, error.message);
      return undefined;
    }
  }

  add(index: number, message: string): void {
    this.#count++;
    if (this.#items.length < MAX_BAD_ITEMS) this.#items.push({ index, message });
  }

  refuse(): void {
    if (this.#count > 0) throw new BadItemsError(this.#items, this.#count);
  }
}

function severalText(items: readonly BadItem[], count: number): string {
  const lines = items.map(({ index, message }) => `\n  item ${index}: ${message}`);
  const more = count > items.length ? `\n  and ${count - items.length} more` : "";
  return `Cannot use ${count} of the items:${lines.join("")}${more}`;
}

const MAX_KEPT = 10_000;

interface CheckedUpdate {
  readonly id: string;
  /** Fields shared between updates, which must not be modified. */
  readonly fields: Fields;
}

/** Caches checks, because many updates may have the same values. */
export class UpdateChecks {
  readonly #spec: ResourceSpec;
  readonly #known = new Map<string, Fields>();
  readonly #isPlain: boolean;

  constructor(spec: ResourceSpec) {
    this.#spec = spec;
    this.#isPlain = spec.normalize === undefined && spec.repeated === undefined;
  }

  prepare(input: unknown, options: Parameters<typeof prepareUpdate>[2]): CheckedUpdate {
    const { idField } = this.#spec;
    const key = this.#isPlain ? keyOf(input, this.#spec) : undefined;
    const id = key === undefined ? undefined : (input as Fields)[idField];
    const known = key === undefined || !isId(this.#spec, id) ? undefined : this.#known.get(key);
    if (known !== undefined && isId(this.#spec, id)) return { id, fields: known };
    const fields = prepareUpdate(this.#spec, input, options);
    if (key !== undefined) {
      if (this.#known.size >= MAX_KEPT) this.#known.clear();
      this.#known.set(key, fields);
    }
    return { id: requiredId(fields, idField), fields };
  }
}

function keyOf(input: unknown, spec: ResourceSpec): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  let key = "";
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== "number" && typeof value !== "string" || name.includes("_")) return undefined;
    if (spec.updatable.includes(name)) key += `${name} ${typeof value} ${value}\u0000`;
    else if (spec.idFields.includes(name) && !isId(spec, value)) return undefined;
  }
  return key;
}
