import { requiredId } from "../../base/json/id_of.ts";
import { withArticle } from "../../platform/catalog/kind_names.ts";
import { type PlanReviewer, reviewed } from "../../plans/change_plan/reviewed.ts";
import type { BaseCallOptions, CallCheck } from "../../platform/catalog/call_types.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { checkPublished } from "../../platform/catalog/check_published.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { type CallInput, prepareCall, type PreparedCall } from "../../platform/catalog/prepare_call.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Change } from "../../plans/model/change.ts";
import type { PlanCalls } from "../../plans/model/plan_target.ts";
import type { CallState, PlannedCall } from "../../plans/model/planned_call.ts";
import { KINDS } from "../entities/kinds/kinds.ts";
import type { PlanOptions } from "../entities/resource/plan_writes.ts";
import type { Resource } from "../entities/resource/resource.ts";
import type { ResourceWire } from "../entities/model/resource_wire.ts";
import { requestText } from "./call_input.ts";

type PlanCallOptions = BaseCallOptions & Pick<PlanOptions, "note" | "heldElsewhere">;

interface PlanCallParts {
  readonly profileId: string;
  readonly countryCode: string;
  readonly calls: PlanCalls;
  resource(kind: string): Resource;
  readonly review: NonNullable<PlanReviewer["review"]>;
  readonly heldElsewhere?: PlanReviewer["heldElsewhere"];
}

/**
 * Plans a call. For entities of a known kind, the result is an entity plan with before, after, preflight and undo.
 * Otherwise it contains the call and, if readable, the state that the call overwrites.
 */
export async function planCall(
  id: string,
  call: CallInput & PlanCallOptions,
  client: PlanCallParts,
): Promise<ChangePlan> {
  const { note, check = "warn", signal, heldElsewhere, ...input } = call;
  const operation = await catalog.get(id);
  const prepared = prepareCall(operation, input);
  if (operation.readOnly) {
    throw new TypeError(`Cannot plan "${operation.id}": it changes nothing. Call it`);
  }
  if (prepared.form !== undefined) {
    throw new TypeError(
      `Cannot plan "${operation.id}": it uploads a file, which a plan cannot hold. Call it`,
    );
  }
  const differing = await publishedFindings(operation, input, check);
  const known = await planOfKind(operation, { prepared, call, warnings: differing }, client);
  if (known !== undefined) return known;
  const planned = await plannedCallOf(operation, input);
  const state = await client.calls.read(planned, { signal });
  const change: Change = {
    kind: "call",
    op: "call",
    id: null,
    before: { ...state },
    after: { ...planned },
    label: operation.id,
  };
  const { profileId, countryCode } = client;
  const warnings = [...differing, ...undoWarning(operation, state)];
  const fields = { profileId, countryCode, changes: [change], warnings, note: note ?? null };
  return await reviewed(fields, client, { signal, heldElsewhere });
}

async function planOfKind(
  operation: Operation,
  { prepared, call, warnings }: {
    prepared: PreparedCall;
    call: CallInput & PlanCallOptions;
    warnings: readonly string[];
  },
  client: PlanCallParts,
): Promise<ChangePlan | undefined> {
  const { method, path, json, params } = prepared;
  if (Object.keys(params).length > 0) return undefined;
  const { note, signal, heldElsewhere } = call;
  const options: PlanOptions = { note, signal, heldElsewhere, more: { warnings } };
  for (const [kind, { wire, idField, noun }] of Object.entries(KINDS)) {
    // Kinds and marketplaces share the paths of the unified family: its requests are planned as the calls that they are.
    if (wire.name === "unified") continue;
    const { readWrite }: ResourceWire = await wire.load();
    const write = readWrite?.({ method, path, json });
    if (write === undefined) continue;
    const resource = client.resource(kind);
    const items = write.items.map(({ ...item }) => item);
    if (write.op === "create") return await resource.planCreate(items, options);
    if (write.op === "archive") {
      return await resource.planArchive(items.flatMap((item) => Object.values(item)).map(String), options);
    }
    const at = items.findIndex((item) => item[idField] === undefined || item[idField] === "");
    if (at !== -1) {
      throw new TypeError(
        `Cannot plan "${operation.id}": item ${at} has no "${idField}", and the platform would create ${
          withArticle(noun)
        } of ` +
          "it. Plan the operation that creates",
      );
    }
    const isArchive = (item: Record<string, unknown>): boolean => /^archived$/i.test(String(item["state"]));
    if (!items.some(isArchive)) return await resource.planUpdate(items, options);
    if (items.every(isArchive)) {
      return await resource.planArchive(items.map((item) => requiredId(item, idField)), options);
    }
    throw new TypeError(
      `Cannot plan "${operation.id}": it archives some items and updates others. Plan the archives apart, for they are ` +
        "permanent",
    );
  }
  return undefined;
}

async function plannedCallOf(operation: Operation, input: CallInput): Promise<PlannedCall> {
  const { body, pathParams, query, headers, contentType, accept } = input;
  const call = {
    operation: operation.id,
    ...(isEmpty(pathParams) ? {} : { path_params: plain(pathParams) }),
    ...(isEmpty(query) ? {} : { query: plain(query) }),
    ...(isEmpty(headers) ? {} : { headers: { ...headers } }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(accept === undefined ? {} : { accept }),
    ...(body === undefined || body === null ? {} : { body: plain(body) }),
  };
  const { operation: id, ...rest } = call;
  return { operation: id, request: await requestText(call), ...rest };
}

async function publishedFindings(
  operation: Operation,
  input: CallInput,
  check: CallCheck,
): Promise<string[]> {
  const { warnings, unchecked } = await checkPublished(operation, input, check);
  if (unchecked) return [`Nothing is published of ${operation.id}, so the call was not checked`];
  return warnings.map((warning) => `${operation.id}: ${warning}`);
}

function undoWarning(operation: Operation, state: CallState | undefined): string[] {
  if (state?.body !== undefined || state?.undo !== undefined) return [];
  const why = state === undefined
    ? "no known operation reads the changed entities"
    : "nothing puts back what it removes";
  return [`${operation.id} cannot be undone by a plan: ${why}`];
}

/** Returns a plain copy of a value. Integers above 2^53 become text; they are sent as numbers if the schema says so. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, part) => typeof part === "bigint" ? String(part) : part));
}

function isEmpty(fields: object | undefined): boolean {
  return fields === undefined || Object.values(fields).every((value) => value === undefined);
}
