import { sameValue } from "../../../base/json/canonical_json.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { EncodedItem } from "../../../plans/model/plan_target.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { prepareCreates, prepareUpdates } from "../fields/check_items.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ResourceWire } from "../model/resource_wire.ts";
import { decodedWrite } from "../wire/decoded_write.ts";
import { completeUpdates } from "./complete_updates.ts";

/** Inputs of {@linkcode encodeItems} beside the items. */
interface EncodeParts {
  readonly spec: ResourceSpec;
  readonly wire: ResourceWire;
  readonly scope: ProfileScope;
  readonly op: "create" | "update" | "archive";
  /** Reads entities that updates are completed from. */
  readonly getMany: (ids: readonly string[]) => Promise<Map<string, Fields>>;
  readonly signal?: AbortSignal | undefined;
}

/** An id in place of one that another change brings, to make a body by. */
const SOME_ID = "1";

/**
 * Encodes items as they would be sent, reads the bodies back, and compares both. An item that is malformed is left to the
 * sending, which refuses it.
 */
export async function encodeItems(items: readonly Fields[], parts: EncodeParts): Promise<EncodedItem[]> {
  const { spec, op, wire, getMany } = parts;
  if (op === "archive") return await Promise.all(items.map((item) => encodeArchive(item, parts)));
  const ready = items.map((item) => {
    try {
      const [one] = op === "create" ? prepareCreates(spec, [item]) : prepareUpdates(spec, [item]);
      return one;
    } catch {
      return undefined;
    }
  });
  const updates = ready.filter((one) => one !== undefined);
  const { whole } = op === "create"
    ? { whole: updates }
    : await completeUpdates(spec, updates, { repeats: wire.repeats, wire: wire.name ?? "legacy", getMany });
  const found: EncodedItem[] = [];
  let next = 0;
  for (const [index, item] of items.entries()) {
    const sent = ready[index] === undefined ? undefined : whole[next++];
    found.push(sent === undefined ? { fields: item, differences: [] } : await encodeItem(item, sent, parts));
  }
  return found;
}

/** An archive sends ids alone; their field in the request may have another name. */
async function encodeArchive(said: Fields, parts: EncodeParts): Promise<EncodedItem> {
  const id = said[parts.spec.idField];
  const decoded = id === undefined ? undefined : await decodedWrite(parts, said);
  const differences = decoded === undefined || Object.values(decoded).includes(id)
    ? []
    : [`${shown(Object.values(decoded)[0])} is archived, not ${shown(id)}`];
  return { fields: said, differences };
}

async function encodeItem(said: Fields, sent: Fields, parts: EncodeParts): Promise<EncodedItem> {
  const { op } = parts;
  const dropped = droppedFields(said, sent, parts)
    .map((field) => `${field} is not sent: ${op === "create" ? "a create" : "an update"} has no such field`);
  const refs = Object.keys(sent).filter((field) => isChangeRef(sent[field]));
  const withIds = { ...sent, ...Object.fromEntries(refs.map((field) => [field, SOME_ID])) };
  const decoded = await decodedWrite(parts, withIds);
  if (decoded === undefined) return { fields: said, differences: dropped };
  const names = Object.keys(op === "update" ? { ...withIds, ...decoded } : withIds);
  const otherwise = names.filter((field) =>
    MOVING_FIELDS.has(field) && !sameField(withIds[field], decoded[field])
  )
    .map((field) => `${field} is sent as ${shown(decoded[field])}, not as ${shown(withIds[field])}`);
  const fields = Object.fromEntries(
    Object.keys(said).map((
      field,
    ) => [
      field,
      MOVING_FIELDS.has(field) && field in decoded && !refs.includes(field) ? decoded[field] : said[field],
    ]),
  );
  return { fields, differences: [...dropped, ...otherwise] };
}

/** Fields of an item that its body lacks, or has under another name. */
function droppedFields(said: Fields, sent: Fields, { spec, op }: Pick<EncodeParts, "spec" | "op">): string[] {
  return Object.keys(said).filter((field) => {
    const isEmpty = said[field] === undefined || op === "create" && said[field] === null;
    return !isEmpty && !(field in sent) && !(field === "state" && spec.bornEnabled);
  });
}

/** Fields that move money. Others may be in the path of a request, or read back from parts that a body lacks. */
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

function sameField(sent: unknown, read: unknown): boolean {
  return sameValue(sent ?? null, read ?? null);
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
