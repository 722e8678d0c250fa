import { sameValue } from "../../../base/json/canonical_json.ts";
import { isObject, withoutFields } from "../../../base/json/fields_of.ts";
import { requiredId } from "../../../base/json/id_of.ts";
import { chunks } from "../../../base/json/chunks.ts";
import { ConfigurationError } from "../../../errors.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { EncodedItem } from "../../../plans/model/plan_target.ts";
import { partOf } from "../../../plans/state/sent_record.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { prepareCreates, prepareUpdates } from "../model/check_items.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire, WireFacts } from "../model/resource_wire.ts";
import { asExtendedCollection } from "../model/sb_ads.ts";
import { completeUpdates } from "./complete_updates.ts";

interface EncodeParts {
  readonly spec: ResourceSpec;
  readonly wire: ResourceWire;
  readonly wireName: WireFacts["name"];
  readonly scope: ProfileScope;
  readonly op: "create" | "update" | "archive";
  readonly getMany: (ids: readonly string[]) => Promise<Map<string, Fields>>;
  readonly signal?: AbortSignal | undefined;
}

const SOME_ID = "1";

/**
 * Encodes items, decodes the resulting bodies, and compares them with the items. Malformed items are skipped; sending
 * rejects them.
 */
export async function encodeItems(items: readonly Fields[], parts: EncodeParts): Promise<EncodedItem[]> {
  const { spec, op, wire, wireName, getMany } = parts;
  if (op === "archive") return await encodeArchives(items, parts);
  const prepare = op === "create" ? prepareCreates : prepareUpdates;
  const prepared = (some: readonly Fields[]): readonly (Fields | undefined)[] => {
    try {
      return prepare(spec, some);
    } catch {
      return some.length === 1 ? [undefined] : some.flatMap((item) => prepared([item]));
    }
  };
  const ready = items.length === 0 ? [] : prepared(items);
  const updates = ready.filter((one) => one !== undefined);
  const { whole, unsendable } = op === "create"
    ? { whole: updates, unsendable: [] }
    : await completeUpdates(spec, updates, { repeats: wire.repeats, wire: wireName, getMany });
  const bodies = await decodedWrites(parts, whole.map(withSomeIds));
  const unknown = new Set(unsendable.map(({ index }) => index));
  let next = 0;
  return items.map((item, index) => {
    if (ready[index] === undefined) return { fields: item, isWhole: false, differences: [] };
    const at = next++;
    const sent = whole[at]!;
    return {
      fields: bodyFields(item, { sent, decoded: bodies[at] }),
      isWhole: !unknown.has(at),
      differences: differencesOf(item, { sent, decoded: bodies[at], parts }),
    };
  });
}

async function encodeArchives(items: readonly Fields[], parts: EncodeParts): Promise<EncodedItem[]> {
  const { idField } = parts.spec;
  const known = items.filter((item) => item[idField] !== undefined);
  const bodies = await decodedWrites(parts, known);
  const byItem = new Map(known.map((item, at) => [item, bodies[at]]));
  return items.map((item) => {
    const id = item[idField];
    const decoded = byItem.get(item);
    const differences = decoded === undefined || Object.values(decoded).includes(id)
      ? []
      : [`${shown(Object.values(decoded)[0])} is archived, not ${shown(id)}`];
    return { fields: item, isWhole: true, differences };
  });
}

function refFields(sent: Fields): string[] {
  return Object.keys(sent).filter((field) => isChangeRef(sent[field]));
}

function withSomeIds(sent: Fields): Fields {
  const refs = refFields(sent);
  return refs.length === 0 ? sent : { ...sent, ...Object.fromEntries(refs.map((field) => [field, SOME_ID])) };
}

function bodyFields(
  said: Fields,
  { sent, decoded = {} }: { sent: Fields; decoded: Fields | undefined },
): Fields {
  const fields = { ...said };
  for (const field of Object.keys(said)) {
    if (isChangeRef(sent[field])) continue;
    if (MOVING_FIELDS.has(field) && field in decoded) fields[field] = decoded[field];
    else if (field in sent) fields[field] = sent[field];
  }
  return fields;
}

function differencesOf(
  said: Fields,
  { sent, decoded, parts }: { sent: Fields; decoded: Fields | undefined; parts: EncodeParts },
): string[] {
  const { op } = parts;
  const dropped = droppedFields(said, sent, parts)
    .map((field) => `${field} is not sent: ${op === "create" ? "a create" : "an update"} has no such field`);
  if (decoded === undefined) return dropped;
  const withIds = withSomeIds(sent);
  const names = Object.keys(op === "update" ? { ...withIds, ...decoded } : withIds);
  const otherwise = names.filter((field) =>
    MOVING_FIELDS.has(field) && !sameField(withIds[field], decoded[field])
  )
    .map((field) => `${field} is sent as ${shown(decoded[field])}, not as ${shown(withIds[field])}`);
  const creatives = CREATIVE_FIELDS.flatMap((field) => {
    const wanted = saidCreative(parts.spec, field, sent[field]);
    if (wanted === undefined || field === "adFormat" && !(field in decoded)) return [];
    const read = partOf(decoded[field], wanted);
    return sameField(wanted, read) ? [] : [`${field} is sent as ${shown(read)}, not as ${shown(wanted)}`];
  });
  return [...dropped, ...otherwise, ...creatives];
}

function droppedFields(said: Fields, sent: Fields, { spec, op }: Pick<EncodeParts, "spec" | "op">): string[] {
  return Object.keys(said).filter((field) => {
    const isEmpty = said[field] === undefined || op === "create" && said[field] === null;
    return !isEmpty && !(field in sent) && !(field === "state" && spec.bornEnabled);
  });
}

/** Fields that affect spend. All other fields may be in the request path, or be derived if the body omits them. */
export const MOVING_FIELDS: ReadonlySet<string> = new Set([
  "bid",
  "defaultBid",
  "budget",
  "dynamicBidding",
  "bidding",
  "marketplaces",
  "state",
  "portfolioId",
  "startDate",
  "endDate",
]);

/** Fields of a creative. Updates may be partial, and each format has its own field names. */
const CREATIVE_FIELDS = ["adFormat", "creative", "landingPage"];

function saidCreative({ computed }: ResourceSpec, field: string, said: unknown): unknown {
  if (field !== "creative" || !isObject(said)) return said ?? undefined;
  return withoutFields(asExtendedCollection(said), computed?.["creative"] ?? []);
}

function sameField(sent: unknown, read: unknown): boolean {
  return sent === read || sameValue(sent ?? null, read ?? null);
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

class Recorded extends Error {}

interface DecodeParts {
  readonly spec: Pick<ResourceSpec, "idField" | "createGroup">;
  readonly wire: ResourceWire;
  readonly scope: ProfileScope;
  readonly op: "create" | "update" | "archive";
  readonly signal?: AbortSignal | undefined;
}

/**
 * Encodes items and decodes the recorded requests. Nothing is written, but any reads that the wire needs are sent.
 *
 * @returns `undefined` for items that would not be sent or cannot be decoded.
 */
export async function decodedWrites(
  parts: DecodeParts,
  items: readonly Fields[],
): Promise<(Fields | undefined)[]> {
  const { spec: { createGroup, idField }, wire, op } = parts;
  const found: (Fields | undefined)[] = [];
  const limit = op === "create" && createGroup !== undefined ? 1 : wire.writeLimits[op];
  for (const part of chunks(items, limit)) {
    const isSplit = op === "update" && part.some((item) => (wire.splits?.(item).length ?? 1) > 1);
    const together = part.length > 1 && !isSplit ? await decoded(parts, part) : undefined;
    // Items that a wire leaves out of a request, or sends in one of their own, are made one by one.
    const isWhole = together?.length === part.length &&
      (op !== "update" || together.every((one, at) => one[idField] === part[at]?.[idField]));
    if (isWhole) found.push(...together);
    else for (const item of part) found.push(await decodedAlone(parts, item));
  }
  return found;
}

async function decodedAlone(parts: DecodeParts, item: Fields): Promise<Fields | undefined> {
  const split = parts.op === "update" ? parts.wire.splits?.(item) ?? [item] : [item];
  const bodies: (Fields | undefined)[] = [];
  for (const one of split) bodies.push((await decoded(parts, [one]))?.[0]);
  return bodies.includes(undefined) ? undefined : Object.assign({}, ...bodies);
}

async function decoded(
  { spec: { idField }, wire, scope, op, signal }: DecodeParts,
  items: readonly Fields[],
): Promise<readonly Fields[] | undefined> {
  // A wire may take what ends its request for a failure of it.
  let recorded: readonly Fields[] | undefined;
  const recording: ProfileScope = Object.create(scope, {
    request: {
      value: async (...[method, path, options = {}]: Parameters<ProfileScope["request"]>) => {
        const { json, headers } = options;
        const write = wire.readWrite?.({ method, path, json, headers }, scope);
        if (write !== undefined && write.items.length > 0) {
          const sent = { method, path, json, headers, sender: scope.profileId, signal };
          await scope.limit?.check({
            ...sent,
            scope: options.scoped === false ? undefined : scope.profileId,
          });
          recorded ??= write.items;
          throw new Recorded();
        }
        if (method !== "GET" && options.idempotent !== true) {
          throw new Error("The request cannot be read back");
        }
        return await scope.request(method, path, options);
      },
    },
  });
  try {
    if (op === "archive") {
      await wire.archive?.(recording, items.map((item) => requiredId(item, idField)), { signal });
    } else await wire[op](recording, items, { signal });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    signal?.throwIfAborted();
  }
  return recorded;
}
