import { isObject, type Json, type JsonObject, parseJson } from "../../core/json.ts";
import type { SchemaNode } from "../../../platform/schema/schema_node.ts";
import type { Clock } from "../../core/clock.ts";
import { Random } from "../../core/random.ts";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { IncomingRequest } from "../../http/incoming_request.ts";
import { Refusal } from "../../http/refusal.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { GeneralShape } from "./api_shapes.ts";
import { checkValue } from "./check_value.ts";
import { EntitySet, itemsOf, listOf } from "./entity_set.ts";
import type { DescribedOperation } from "./general_operations.ts";
import { makeValue } from "./make_value.ts";

const GENERAL_HEADER = "x-emulator-response";

interface GeneralCall {
  readonly request: IncomingRequest;
  readonly described: readonly DescribedOperation[];
  readonly params: Readonly<Record<string, string>>;
  readonly profile: ProfileState;
  readonly state: EmulatorState;
  readonly clock: Clock;
}

interface Work extends GeneralCall {
  readonly operation: DescribedOperation;
  readonly shape: GeneralShape;
  readonly body: Json | undefined;
}

const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  404: "NOT_FOUND",
  406: "NOT_ACCEPTABLE",
};

/**
 * Validates the request against its published shape, stores entities of operations that form a set, and generates
 * other values from seed and request.
 */
export function respondGenerally(call: GeneralCall): HttpResponse {
  const work = chooseOperation(call);
  const { shape, operation } = work;
  const types = Object.keys(shape.responses);
  const { value, status = shape.status } = carryOut(work);
  const headers = { [GENERAL_HEADER]: "general" };
  if (types.length === 0 || status >= 300 && status < 400) {
    const location = status >= 300 && status < 400 ? { location: "https://files.example/item" } : {};
    return emptyResponse(status, { ...headers, ...location });
  }
  const type = responseType(work);
  const node = shape.responses[type] ?? {};
  const made = checkValue(value, node, operation.shapes) === undefined ? value : fallback(node, work);
  return jsonResponse(status, made, { type, headers });
}

function chooseOperation(call: GeneralCall): Work {
  const works = call.described.flatMap((operation): { work: Work; problem: string | undefined }[] => {
    const shape = operation.shapes.operation(operation.operation.name);
    if (shape === undefined) return [];
    const { body, problem } = readBody(call.request, shape, operation);
    return [{
      work: { ...call, operation, shape, body },
      problem: problem ?? checkNeeded(call.request, shape),
    }];
  });
  const fitting = works.filter(({ problem }) => problem === undefined).map(({ work }) => work);
  // An update may say no more than an id: then the operation is meant whose set has it.
  const chosenWork = fitting.find((work) => namedIn(setOf(work), work).length > 0) ?? fitting[0];
  if (chosenWork !== undefined) return chosenWork;
  const [first] = works;
  if (first === undefined) throw new TypeError("Cannot respond to an operation without a shape");
  throw failure(400, first.problem ?? "The request is not valid", first.work);
}

function readBody(
  request: IncomingRequest,
  shape: GeneralShape,
  { shapes }: DescribedOperation,
): { body?: Json | undefined; problem?: string | undefined } {
  const entries = Object.entries(shape.bodies);
  if (entries.length === 0) return {};
  const text = request.text();
  if (text.trim() === "") return shape.bodyRequired ? { problem: "body is required" } : {};
  const [type, node] = entries.find(([each]) => each.toLowerCase() === request.mediaType) ?? entries.at(-1) ??
    [];
  if (type === undefined || node === undefined || !type.includes("json")) return {};
  try {
    const body = parseJson(text);
    return { body, problem: checkValue(body, node, shapes) };
  } catch {
    return { problem: "body is not valid JSON" };
  }
}

function checkNeeded({ query, headers }: IncomingRequest, { needed }: GeneralShape): string | undefined {
  const missing = needed.find(({ place, name }) =>
    place === "query" ? !query.has(name) : headers[name.toLowerCase()] === undefined
  );
  return missing && `${missing.place === "query" ? "query parameter" : "header"} ${missing.name} is required`;
}

function carryOut(work: Work): { value: Json; status?: number } {
  const { operation: { operation } } = work;
  if (operation.verb === "other") return { value: madeUp(work, { items: listOf(work.body) }) };
  const set = setOf(work);
  switch (operation.verb) {
    case "list":
      return { value: list(set, work) };
    case "get":
      return { value: madeUp(work, { facts: demand(set, work), items: [demand(set, work)] }) };
    case "create": {
      const items = itemsOf(work.body);
      const created = (items.length === 0 ? [{}] : items).map((item) => set.create(item, work.state.newId()));
      return { value: madeUp(work, { facts: created[0], items: created }) };
    }
    case "update": {
      const changed = chosen(set, work).map(({ entity, changes }) => set.update(entity, changes));
      return { value: madeUp(work, { facts: changed[0], items: changed }) };
    }
    case "delete": {
      const gone = chosen(set, work).map(({ entity }) => entity);
      for (const entity of gone) set.delete(entity);
      return { value: madeUp(work, { facts: gone[0], items: gone }) };
    }
  }
}

function setOf(work: Work): EntitySet {
  return new EntitySet({
    described: work.operation,
    params: work.params,
    profile: work.profile,
    seed: work.state.seed,
    now: dayOf(work),
  });
}

/** Day granularity keeps generated data stable. */
function dayOf({ clock }: Work): number {
  return Math.floor(clock.now() / 86_400_000) * 86_400_000;
}

function list(set: EntitySet, work: Work): Json {
  const asked = { ...Object.fromEntries(work.request.query), ...isObject(work.body) ? work.body : {} };
  const { entities, nextToken, total } = takePage(set.all(), asked);
  const made = madeUp(work, {
    facts: {
      totalResults: total,
      totalCount: total,
      total,
      ...(nextToken === undefined ? {} : { nextToken }),
    },
    items: entities,
  });
  return isObject(made) && nextToken !== undefined ? { ...made, nextToken } : made;
}

function chosen(set: EntitySet, work: Work): { entity: JsonObject; changes: JsonObject }[] {
  const { operation: { operation }, body } = work;
  if (operation.idParam !== undefined) {
    return [{ entity: demand(set, work), changes: isObject(body) ? body : {} }];
  }
  const known = namedIn(set, work);
  if (known.length === 0) throw failure(404, "No entity has one of these ids", work);
  return known;
}

function namedIn(
  set: EntitySet,
  { operation: { operation }, body }: Work,
): { entity: JsonObject; changes: JsonObject }[] {
  if (operation.verb !== "update" && operation.verb !== "delete") return [];
  const found = [
    ...itemsOf(body).map((item) => ({ entity: set.get(set.idOf(item)), changes: item })),
    ...idsIn(body).map((id) => ({ entity: set.get(id), changes: {} })),
  ];
  return found.flatMap(({ entity, changes }) => entity === undefined ? [] : [{ entity, changes }]);
}

function demand(set: EntitySet, work: Work): JsonObject {
  const { params, operation: { operation } } = work;
  const id = params[operation.idParam ?? ""] ?? "";
  const entity = set.get(id);
  if (entity === undefined) throw failure(404, `${id} was not found`, work);
  return entity;
}

function idsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => typeof each === "object" ? idsIn(each) : [String(each)]);
  }
  return isObject(value) ? Object.values(value).flatMap(idsIn) : [];
}

function madeUp(
  work: Work,
  { facts = {}, items }: { facts?: JsonObject | undefined; items?: readonly JsonObject[] | undefined },
): Json {
  const node = work.shape.responses[responseType(work)] ?? {};
  const sent = isObject(work.body) ? work.body : {};
  return makeValue(node, sourceOf(work, { ...work.params, ...sent, ...facts }, items));
}

/** Generates a response without request data, for requests whose data does not fit the shape. */
function fallback(node: SchemaNode, work: Work): Json {
  return makeValue(node, sourceOf(work, {}, undefined));
}

function sourceOf(work: Work, facts: JsonObject, items: readonly JsonObject[] | undefined) {
  const { operation, state, request, profile } = work;
  const random = new Random(
    `${state.seed} ${profile.id} ${request.method} ${request.path} ${request.queryText} ${request.text()}`,
  );
  return { shapes: operation.shapes, random, now: dayOf(work), facts, items };
}

function failure(status: number, problem: string, work: Work): Refusal {
  const { shape, operation } = work;
  const node = shape.errors[status] ?? shape.errors[400] ?? shape.errors.default;
  const code = CODES[status] ?? "INVALID_ARGUMENT";
  const words = {
    message: problem,
    details: problem,
    detail: problem,
    description: problem,
    errorMessage: problem,
  };
  const facts = { ...words, code, errorCode: code };
  const made = node === undefined ? undefined : makeValue(node, sourceOf(work, facts, undefined));
  const isUsable = isObject(made) && node !== undefined &&
    checkValue(made, node, operation.shapes) === undefined;
  const body = isUsable && Object.keys(made).length > 0 ? made : { code, message: problem };
  return new Refusal(jsonResponse(status, body, { headers: { [GENERAL_HEADER]: "general" } }));
}

function responseType({ shape, request }: Work): string {
  const types = Object.keys(shape.responses);
  const accepted = (request.headers.accept ?? "*/*").toLowerCase().split(",").map((part) =>
    part.split(";")[0]?.trim()
  );
  return types.find((type) => accepted.includes(type.toLowerCase())) ?? types.at(-1) ?? "application/json";
}

interface ListPage {
  readonly entities: readonly JsonObject[];
  readonly nextToken?: string;
  readonly total: number;
}

const SIZES = ["maxResults", "count", "pageSize", "limit", "size"];
const TOKENS = ["nextToken", "nextPageToken", "cursor", "nextCursor", "pageToken", "token"];
const STARTS = ["startIndex", "offset"];

function takePage(entities: readonly JsonObject[], asked: JsonObject): ListPage {
  const found = entities.filter((entity) =>
    Object.entries(asked).every(([name, value]) => passes(entity, name, value))
  );
  const start = numberOf(asked, [...TOKENS, ...STARTS]) ?? 0;
  const size = numberOf(asked, SIZES) ?? 100;
  const end = start + Math.max(1, size);
  return {
    entities: found.slice(start, end),
    ...(end < found.length ? { nextToken: String(end) } : {}),
    total: found.length,
  };
}

/**
 * True if an entity passes a filter: `stateFilter` checks `state`, `campaignIds` checks `campaignId`; unknown names pass.
 */
function passes(entity: JsonObject, name: string, value: Json | undefined): boolean {
  const field = fieldOf(entity, name);
  if (field === undefined || value === undefined || value === null) return true;
  const wanted = valuesOf(value);
  if (wanted.length === 0) return true;
  return wanted.includes(String(entity[field]).toLowerCase());
}

function fieldOf(entity: JsonObject, name: string): string | undefined {
  const bare = name.replace(/Filters?$/, "").replace(/Ids$/, "Id").toLowerCase();
  const field = Object.keys(entity).find((each) => each.toLowerCase() === bare);
  const value = field === undefined ? undefined : entity[field];
  return typeof value === "object" ? undefined : field;
}

function valuesOf(value: Json): string[] {
  if (isObject(value)) return Array.isArray(value.include) ? valuesOf(value.include) : [];
  if (Array.isArray(value)) {
    return value.filter((each) => typeof each !== "object").map((each) => String(each).toLowerCase());
  }
  return String(value).split(",").map((each) => each.trim().toLowerCase());
}

function numberOf(asked: JsonObject, names: readonly string[]): number | undefined {
  const found = names.map((name) => Number(asked[name] ?? NaN)).find((number) => Number.isInteger(number));
  return found !== undefined && found >= 0 ? found : undefined;
}
