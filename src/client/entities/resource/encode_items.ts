import { sameValue } from "../../../base/json/canonical_json.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { EncodedItem } from "../../../plans/model/plan_target.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { isObject, withoutFields } from "../../../base/json/fields_of.ts";
import { partOf } from "../../../plans/state/sent_record.ts";
import { asExtendedCollection } from "../model/sb_ads.ts";
import { prepareCreates, prepareUpdates } from "../fields/check_items.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire, WireFacts } from "../model/resource_wire.ts";
import { decodedWrites } from "../wire/decoded_write.ts";
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
