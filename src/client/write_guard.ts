import { idOf } from "../base/json/id_of.ts";
import type { Operation } from "../platform/catalog/operation.ts";
import { JOBS } from "./jobs/descriptions.ts";
import { overridesMethod } from "../platform/catalog/prepare_call.ts";
import type { Judgement, JudgeRequest } from "../plans/model/plan_target.ts";
import type { Finding } from "../plans/model/finding.ts";
import { PolicyError, policyRefusal } from "../plans/model/plan_errors.ts";
import { replacingFields } from "../plans/state/merge_fields.ts";
import type { WritePolicy } from "../plans/model/write_policy.ts";
import { AccountReading } from "../plans/state/account_reading.ts";
import { withoutComputed } from "./entities/model/check_items.ts";
import { loadedOnce } from "../base/json/kept_or.ts";
import { KINDS } from "./entities/kinds/kinds.ts";
import type { ApiRequest } from "../platform/transport/api_request.ts";
import type { WireWording } from "./calls/wire_wording.ts";
import { plainPath } from "./calls/plain_path.ts";
import { AdmittedWrites } from "./admitted_writes.ts";
import type { ProfileClient } from "./profile_client.ts";
import { sameValue } from "../base/json/canonical_json.ts";
import { fieldsOf } from "../base/json/fields_of.ts";
import type { Change, EntityFields } from "../plans/model/change.ts";
import type { ResourceSpec } from "./entities/model/resource_spec.ts";
import { type ObjectEffect, objectEffect, type WireName } from "./entities/wire/object_fields.ts";
import type { WireWrite } from "./entities/model/resource_wire.ts";

const MEASURES = /^reporting:|^v1-all-reports:|export|budgets?usage$/i;
const MEASURING_JOBS = new Set(
  JOBS.filter(({ changesAccount }) => !changesAccount).flatMap(({ operation, cancel }) =>
    cancel?.body === undefined ? [operation] : [operation, cancel.operation]
  ),
);

/**
 * Checks every request of a client against a policy. A write passes if its plan was admitted, if it can be decoded and
 * the policy admits it, or if the policy allows its operation.
 */
export class WriteGuard {
  readonly #policy: WritePolicy;
  readonly #clientOf: (profileId: string) => Promise<ProfileClient>;
  readonly #words: WireWording;
  readonly #clearances = new WeakMap<object, AdmittedWrites>();

  constructor(parts: {
    policy: WritePolicy;
    words: WireWording;
    clientOf: (profileId: string) => Promise<ProfileClient>;
  }) {
    this.#policy = parts.policy;
    this.#clientOf = parts.clientOf;
    this.#words = parts.words;
  }

  /**
   * @returns Releases the request's share of the daily limits if it was not carried out.
   * @throws {PolicyError} when a write is denied or cannot be judged; nothing is sent.
   */
  async check(sent: ApiRequest): Promise<(() => Promise<void>) | undefined> {
    const { method, path, clearance, scope, sender = scope, signal } = sent;
    const names = [...Object.keys(sent.headers ?? {}), ...Object.keys(sent.params ?? {})];
    const overridden = names.find(overridesMethod);
    if (overridden !== undefined) throw notJudged(`${method} ${path} with "${overridden}"`);
    if (method === "GET" || method === "HEAD") return undefined;
    const operation = await this.#operationOf(method, path);
    const id = operation?.id ?? `${method} ${path}`;
    if (operation !== undefined && (operation.readOnly || measures(operation))) return undefined;
    const client = sender === undefined ? undefined : await this.#clientOf(sender);
    const request = { ...sent, json: await this.#words.unsent(operation, sent.json, sent.contentType) };
    const admitted = clearance && this.#clearances.get(clearance);
    if (admitted !== undefined && client !== undefined) {
      if (await isCovered(request, { admitted, client })) return undefined;
      throw notAdmitted(id);
    }
    const account = new AccountReading();
    const read = client === undefined ? undefined : await changesOfRequest(request, { client, account });
    // Only what cannot be read is a matter of the list: a bid is judged even where every operation is allowed.
    const isListed = this.#policy.allowsOperation(id) &&
      (client !== undefined || (await writesOf(request)).length === 0);
    if (!read?.isWhole && !isListed) throw notJudged(id);
    if (client === undefined || read === undefined) return undefined;
    const { profileId, countryCode } = client;
    const { ChangePlan } = await import("../plans/change_plan/change_plan.ts");
    const { merged, replaced } = read.changes;
    const plan = new ChangePlan({ profileId, countryCode, changes: replaced });
    if (!sameValue(merged, replaced)) {
      const kept = new ChangePlan({ profileId, countryCode, changes: merged });
      const barring = (await this.#policy.review(kept, client, { account, signal })).filter(isBarring);
      if (barring.length > 0) throw policyRefusal(barring);
    }
    const open = plan.changes.map((change, at) => ({ at, change }));
    const judged = {
      plan,
      open,
      client,
      approvedBy: undefined,
      resumes: false,
      direct: true,
      account,
      signal,
    };
    const { settle } = await this.#policy.admit(judged);
    return () => settle([]);
  }

  /**
   * Returns the operation of a request; `undefined` if a host that decodes escapes first would route the path
   * differently.
   */
  async #operationOf(method: string, path: string): Promise<Operation | undefined> {
    const operation = await this.#words.matching(method, path);
    const plain = plainPath(path);
    return plain === path || operation?.id === (await this.#words.matching(method, plain))?.id
      ? operation
      : undefined;
  }

  async admit(request: JudgeRequest, cleared: (clearance: object) => ProfileClient): Promise<Judgement> {
    const judgement = await this.#policy.admit(request);
    const clearance = {};
    this.#clearances.set(clearance, new AdmittedWrites(request.open.map(({ change }) => change)));
    return {
      findings: judgement.findings,
      client: cleared(clearance),
      settle: async (results) => {
        this.#clearances.delete(clearance);
        await judgement.settle(results);
      },
      withdraw: async () => {
        this.#clearances.delete(clearance);
        await judgement.withdraw?.();
      },
    };
  }
}

function measures({ id }: Operation): boolean {
  return MEASURES.test(id) || MEASURING_JOBS.has(id);
}

async function isCovered(
  request: ApiRequest,
  { admitted, client }: { admitted: AdmittedWrites; client: ProfileClient },
): Promise<boolean> {
  return (await writesOf(request, client)).some(({ kind, spec, write, wire }) =>
    admitted.covers({
      kind,
      write,
      idField: spec.idField,
      isMapped: client.wireIds === "mapped" && wire === "unified" && spec.unified?.sharesIds === true,
      repeated: spec.repeated ?? [],
    })
  );
}

function notAdmitted(id: string): PolicyError {
  const message = `a request of ${id} holds something else than what was judged`;
  const hint = "Make a new plan: the account, or the plan, has changed since";
  return new PolicyError(`Denied by the policy, so nothing was sent: ${message}. ${hint}`, [
    { code: "POLICY_NOT_JUDGED", level: "deny", rule: "allow_operations", message, hint },
  ]);
}

function isBarring({ level }: Finding): boolean {
  return level === "deny" || level === "approve";
}

function notJudged(id: string): PolicyError {
  const message = `the effect of ${id} cannot be checked`;
  const hint = `List it under allow_operations of the policy, or use a plan`;
  return new PolicyError(`Denied by the policy, so nothing was sent: ${message}. ${hint}`, [
    { code: "POLICY_NOT_JUDGED", level: "deny", rule: "allow_operations", message, hint },
  ]);
}

/**
 * Changes in a request, once with merged and once with replaced objects, because it may be unknown whether omitted
 * parts are kept.
 */
interface ReadChanges {
  readonly merged: readonly Change[];
  readonly replaced: readonly Change[];
}

interface RequestChanges {
  readonly changes: ReadChanges;
  readonly isWhole: boolean;
}

/**
 * Decodes the changes in a request. Updates without an id count as creates, as on the platform.
 *
 * @returns `undefined` for requests that are not entity writes.
 */
async function changesOfRequest(
  request: ApiRequest,
  { client, account }: { client: ProfileClient; account: AccountReading },
): Promise<RequestChanges | undefined> {
  const hasParams = request.params !== undefined && Object.keys(request.params).length > 0;
  const some = { merged: [] as Change[], replaced: [] as Change[] };
  for (const { kind, spec, write, isAll, wire } of await writesOf(request)) {
    const items = write.byId
      ? await itemsHeld(write, { kind, spec, client, signal: request.signal })
      : write.items;
    if (write.byId && items.length === 0) continue;
    const changes = await changesOf({ ...write, items }, {
      kind,
      spec,
      wire,
      client,
      account,
      signal: request.signal,
    });
    if (write.isPart || items.length < write.items.length) {
      some.merged.push(...changes.merged);
      some.replaced.push(...changes.replaced);
      continue;
    }
    return {
      changes,
      isWhole: isAll && !hasParams &&
        (write.op === "archive" || write.items.every((item) => isUnderstood(item, spec))),
    };
  }
  return some.merged.length === 0 ? undefined : { changes: some, isWhole: false };
}

interface KindWrite {
  readonly kind: string;
  readonly spec: ResourceSpec;
  readonly write: WireWrite;
  readonly isAll: boolean;
  readonly wire: WireName;
}

const kindsOnWires = loadedOnce(() =>
  Promise.all(
    Object.entries<ResourceSpec>(KINDS).map(async ([kind, spec]) => {
      const late = spec.unified === undefined ? [spec.wire] : [spec.wire, spec.unified];
      const wires = await Promise.all(late.map(async ({ name, load }) => ({ ...await load(), name })));
      return { kind, spec, wires };
    }),
  )
);

/** Returns the write of a request as each kind reads it, on either wire. */
export async function writesOf(request: ApiRequest, client?: ProfileClient): Promise<KindWrite[]> {
  const plain = { ...request, path: plainPath(request.path) };
  return (await kindsOnWires()).flatMap(({ kind, spec, wires }): KindWrite[] => {
    const reads = (one: ApiRequest): { write: WireWrite; wire: WireName } | undefined => {
      for (const { readWrite, name } of wires) {
        const write = readWrite?.(one, client);
        if (write !== undefined) return { write, wire: name };
      }
      return undefined;
    };
    const whole = plain.path === request.path ? reads(request) : undefined;
    const read = whole ?? [plain, ...partsOf(plain)].map(reads).find(Boolean);
    return read === undefined ? [] : [{ kind, spec, ...read, isAll: whole !== undefined }];
  });
}

/**
 * Splits a request into its body fields, which are checked separately, so that an extra field cannot hide a list of
 * items.
 */
function partsOf(request: ApiRequest): ApiRequest[] {
  const fields = Object.entries(fieldsOf(request.json));
  return fields.length < 2 ? [] : fields.map(([name, value]) => ({ ...request, json: { [name]: value } }));
}

/** Returns the items of a write that belong to its kind, because kinds of the unified family share paths. */
async function itemsHeld(
  write: WireWrite,
  { kind, spec, client, signal }: {
    kind: string;
    spec: ResourceSpec;
    client: ProfileClient;
    signal: AbortSignal | undefined;
  },
): Promise<WireWrite["items"]> {
  const ids = new Set(write.items.flatMap((item) => idOf(item, spec.idField) ?? []));
  if (ids.size === 0) return [];
  const found = await client.resource(kind).getMany([...ids], { signal });
  return write.items.filter((item) => found.has(idOf(item, spec.idField) ?? ""));
}

/** True if all fields of an item are known; items with unknown fields cannot be judged. */
export function isUnderstood(item: EntityFields, spec: ResourceSpec): boolean {
  const { idField, idFields, updatable, required, columns, numeric, choices = {}, moreFields = [], parents } =
    spec;
  const known = new Set([
    idField,
    "state",
    "tags",
    "adFormat",
    "adId",
    "targetId",
    ...idFields,
    ...updatable,
    ...required,
    ...columns,
    ...numeric,
    ...moreFields,
    ...Object.keys(choices),
    ...Object.keys(parents),
  ]);
  return Object.keys(item).every((field) => known.has(field));
}

async function changesOf(
  write: WireWrite,
  { kind, spec, wire, client, account, signal }: {
    kind: string;
    spec: ResourceSpec;
    wire: WireName;
    client: ProfileClient;
    account: AccountReading;
    signal: AbortSignal | undefined;
  },
): Promise<ReadChanges> {
  const idOf = (item: EntityFields): string | null => {
    // An archive names ids as its verdicts do: those of negative keywords have another name than in lists.
    const id = write.op === "archive" ? Object.values(item)[0] : item[spec.idField];
    return write.op === "create" || id === undefined || id === null || id === "" ? null : String(id);
  };
  const ids = write.items.flatMap((item) => idOf(item) ?? []);
  const found = ids.length === 0
    ? new Map()
    : await client.resource(kind).getMany([...new Set(ids)], { signal });
  account.keep(kind, found);
  const changeOf = (item: EntityFields, unknown: ObjectEffect): Change => {
    const id = idOf(item);
    const { [spec.idField]: _, ...fields } = item;
    const entity: EntityFields = id === null ? {} : found.get(id) ?? {};
    // What the platform computes, such as the ids of copies, no request leaves out.
    const sendable = withoutComputed(spec, entity);
    const after = write.op === "archive"
      ? { state: spec.stateCase === "upper" ? "ARCHIVED" : "archived" }
      : Object.fromEntries(
        Object.entries(fields).map(([name, value]) => {
          const effect = objectEffect(kind, name, wire) ?? unknown;
          return [name, effect === "replaced" ? replacingFields(sendable[name], value) : value];
        }),
      );
    const before = Object.fromEntries(
      Object.keys(after).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
    );
    const campaignId = entity["campaignId"] ?? fields["campaignId"];
    return {
      kind,
      op: id === null ? "create" : write.op === "archive" ? "archive" : "update",
      id,
      before,
      after,
      label: spec.label({ ...entity, ...fields }),
      ...(typeof campaignId === "string" ? { campaignId } : {}),
    };
  };
  return {
    merged: write.items.map((item) => changeOf(item, "merged")),
    replaced: write.items.map((item) => changeOf(item, "replaced")),
  };
}
