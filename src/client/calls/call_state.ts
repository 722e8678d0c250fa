import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { idOf } from "../../base/json/id_of.ts";
import { ApiError, NotFoundError } from "../../errors.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import type { CallInput } from "../../platform/catalog/prepare_call.ts";
import { callInput, requestText } from "./call_input.ts";
import { type CallTarget, sendCall } from "./send_call.ts";

type Fields = Record<string, unknown>;

const MAX_SINGLE_READS = 20;
const MAX_IDS = 1000;

/**
 * Reads the state that a call will change: by GET on the same path, by a list of the collection filtered by id, or by
 * GET for each entity.
 *
 * @returns `undefined` if there is no such operation, or the platform does not know the entity.
 */
export async function readCallState(
  call: PlannedCall,
  target: CallTarget,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<CallState | undefined> {
  const definition = await definitionState(call, target, { signal });
  if (definition !== undefined) return definition;
  const operation = await catalog.get(call.operation);
  if (/^create/i.test(operation.operationId) || /\/create\//.test(operation.path)) return undefined;
  const reader = new Reader(call, { operation, target, signal, siblings: await siblingsOf(operation) });
  try {
    return await reader.ofSamePath() ?? await reader.ofItems() ?? await reader.ofIdFilter();
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return undefined;
    throw error;
  }
}

class Reader {
  readonly #call: PlannedCall;
  readonly #operation: Operation;
  readonly #target: CallTarget;
  readonly #signal: AbortSignal | undefined;
  readonly #siblings: readonly Operation[];

  constructor(call: PlannedCall, parts: {
    operation: Operation;
    target: CallTarget;
    signal: AbortSignal | undefined;
    siblings: readonly Operation[];
  }) {
    this.#call = call;
    this.#operation = parts.operation;
    this.#target = parts.target;
    this.#signal = parts.signal;
    this.#siblings = parts.siblings;
  }

  async ofSamePath(): Promise<CallState | undefined> {
    const { path, pathParams, hasBody } = this.#operation;
    const get = pathParams.length === 0 ? undefined : this.#find("GET", path);
    if (get === undefined) return undefined;
    const entity = await this.#read(get, { pathParams: callInput(this.#call).pathParams ?? {} });
    const { body } = this.#call;
    if (!hasBody || body === undefined) return { entity };
    return isObject(body) && isObject(entity) ? { body: valuesNow(body, entity) } : undefined;
  }

  async ofItems(): Promise<CallState | undefined> {
    const { body } = this.#call;
    const list = itemsIn(body);
    if (list === undefined) return undefined;
    const idField = this.#idField(list.items);
    if (idField === undefined) return undefined;
    const ids = [...new Set(list.items.flatMap((item) => idOf(item, idField) ?? []))];
    const found = await this.#byIds(idField, ids, this.#operation.path);
    if (found === undefined) return undefined;
    const byId = new Map(found.map((entity) => [idOf(entity, idField), entity]));
    const now = list.items.map((item) => valuesNow(item, byId.get(idOf(item, idField)) ?? {}));
    return { body: list.field === undefined ? now : { ...fieldsOf(body), [list.field]: now } };
  }

  async ofIdFilter(): Promise<CallState | undefined> {
    for (const [name, value] of Object.entries(fieldsOf(this.#call.body))) {
      const [, stem] = /^(\w+Id)(?:Filter|s)$/.exec(name) ?? [];
      const ids = Array.isArray(value) ? value : fieldsOf(value)["include"];
      if (stem === undefined || !Array.isArray(ids) || ids.length === 0) continue;
      const entity = await this.#byIds(stem, ids.map(String), this.#operation.path.replace(/\/delete$/, ""));
      if (entity !== undefined) return { entity };
    }
    return undefined;
  }

  #idField(items: readonly Fields[]): string | undefined {
    const everywhere = Object.keys(items[0] ?? {}).filter((name) =>
      name.endsWith("Id") && items.every((item) => ["string", "number"].includes(typeof item[name]))
    );
    const { path } = this.#operation;
    const noun = singular(
      path.split("/").findLast((part) => !/^v\d|^sp$|^sb$|^sd$|^st$|^dsp$/.test(part)) ?? "",
    );
    return everywhere.find((name) => this.#siblings.some((one) => one.path === `${path}/{${name}}`)) ??
      everywhere.find((name) => name.toLowerCase() === `${noun}id`) ??
      (everywhere.length === 1 ? everywhere[0] : undefined);
  }

  async #byIds(idField: string, ids: readonly string[], path: string): Promise<Fields[] | undefined> {
    const filter = `${idField}Filter`;
    const part = ids.slice(0, MAX_IDS);
    const list = this.#find("POST", `${path}/list`) ??
      this.#find("POST", path.replace(/\/(?:update|delete)\//, "/query/"));
    if (list !== undefined && list.id !== this.#operation.id && await takesField(list, filter)) {
      const body = { ...await productFilter(list), [filter]: { include: part } };
      return listIn(await this.#read(list, { body }));
    }
    const get = this.#find("GET", path);
    if (get?.query.some(({ name }) => name === filter)) {
      return listIn(await this.#read(get, { query: { [filter]: part.join(",") } }));
    }
    const single = this.#find("GET", `${path}/{${idField}}`);
    if (single === undefined || ids.length > MAX_SINGLE_READS) return undefined;
    const found: Fields[] = [];
    for (const id of ids) {
      const entity = await this.#read(single, { pathParams: { [idField]: id } });
      if (isObject(entity)) found.push(entity);
    }
    return found;
  }

  #find(method: string, path: string): Operation | undefined {
    return this.#siblings.find((one) => one.method === method && one.path === path && one.readOnly);
  }

  async #read(
    operation: Operation,
    input: Pick<CallInput, "body" | "pathParams" | "query">,
  ): Promise<unknown> {
    const documented = new Set(operation.headers.map(({ name }) => name.toLowerCase()));
    const headers = Object.fromEntries(
      Object.entries(this.#call.headers ?? {}).filter(([name]) => documented.has(name.toLowerCase())),
    );
    const call = { ...input, headers, check: "off", ...(this.#signal && { signal: this.#signal }) } as const;
    const { json } = await sendCall(operation.id, call, this.#target);
    return json;
  }
}

async function siblingsOf({ api }: Operation): Promise<readonly Operation[]> {
  const operations = await catalog.operations();
  return operations.filter((one) => one.api === api && one.unsupportedReason === undefined);
}

async function takesField(operation: Operation, field: string): Promise<boolean> {
  const { bodyShape, flatShape, loadApiShapes } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const body = bodyShape(shapes?.operation(operation.operationId), operation.contentType);
  return shapes !== undefined && body !== undefined && flatShape(shapes, body).fields.has(field);
}

async function productFilter(operation: Operation): Promise<Fields> {
  const { bodyShape, flatShape, loadApiShapes } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const body = bodyShape(shapes?.operation(operation.operationId), operation.contentType);
  if (shapes === undefined || body === undefined) return {};
  if (!flatShape(shapes, body).required.has("adProductFilter")) return {};
  return { adProductFilter: fieldsOf(await operation.example())["adProductFilter"] };
}

function itemsIn(body: unknown): { field: string | undefined; items: readonly Fields[] } | undefined {
  if (isItemList(body)) return { field: undefined, items: body };
  const lists = Object.entries(fieldsOf(body)).filter(([, value]) => isItemList(value));
  const [only] = lists;
  if (only === undefined || lists.length > 1 || !isItemList(only[1])) return undefined;
  return { field: only[0], items: only[1] };
}

function listIn(json: unknown): Fields[] | undefined {
  const list = Array.isArray(json) ? json : Object.values(fieldsOf(json)).find(Array.isArray);
  return list?.filter(isObject);
}

function valuesNow(wanted: Fields, now: Fields): Fields {
  const values: Fields = {};
  for (const [name, value] of Object.entries(wanted)) {
    const current = Object.hasOwn(now, name) ? now[name] : undefined;
    if (current === undefined) continue;
    if (isObject(value) && isObject(current)) values[name] = valuesNow(value, current);
    // An id may be written as a number or as its digits.
    else values[name] = String(current) === String(value) && typeof value !== "object" ? value : current;
  }
  return values;
}

function singular(noun: string): string {
  return noun.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");
}

function isItemList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

interface Definitions {
  readonly api: string;
  readonly get: string;
  readonly create: string;
  readonly replace: string;
  readonly remove: string;
  readonly id: string;
  readonly envelope: string;
}

const DEFINITIONS: readonly Definitions[] = ["Workflow", "Schedule"].map((name) => ({
  api: "workflow-management-service",
  get: `get${name}`,
  create: `create${name}`,
  replace: `update${name}`,
  remove: `delete${name}`,
  id: `${name.toLowerCase()}Id`,
  envelope: name.toLowerCase(),
}));

async function definitionState(
  call: PlannedCall,
  target: CallTarget,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CallState | undefined> {
  const found = DEFINITIONS.find(({ api, create, replace, remove }) =>
    [create, replace, remove].some((name) => call.operation === `${api}:${name}`)
  );
  if (found === undefined) return undefined;
  const { api, id, envelope } = found;
  const isCreate = call.operation === `${api}:${found.create}`;
  const { path_params = {}, headers, body } = call;
  const given = isObject(body) ? body[id] : undefined;
  const path = isCreate ? { ...path_params, [id]: given } : path_params;
  const now = await read();
  const other = async (
    name: string,
    rest: Omit<PlannedCall, "operation" | "request">,
  ): Promise<PlannedCall> => {
    const undo = { operation: `${api}:${name}`, ...rest, ...(headers === undefined ? {} : { headers }) };
    return { ...undo, request: await requestText(undo) };
  };
  if (isCreate) {
    // One that is there already is put back, and never deleted.
    return now === undefined
      ? { undo: await other(found.remove, { path_params: path }) }
      : { body: now, undo: await other(found.replace, { path_params: path, body: now }) };
  }
  if (now === undefined) return undefined;
  if (call.operation === `${api}:${found.replace}`) {
    return { body: now, undo: await other(found.replace, { path_params, body: now }) };
  }
  const { [id]: _, ...place } = path_params;
  return { entity: now, undo: await other(found.create, { path_params: place, body: now }) };

  async function read(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const pathParams = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]));
    const request = { pathParams, headers: headers ?? {}, check: "off", ...(signal && { signal }) } as const;
    try {
      const { json } = await sendCall(`${api}:${found?.get}`, request, target);
      const entity = isObject(json) ? json[envelope] ?? json : undefined;
      return isObject(entity) ? entity : undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
