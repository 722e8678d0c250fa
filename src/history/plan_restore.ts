import { ChangePlan } from "../plans/change_plan.ts";
import type { Change } from "../plans/change.ts";
import { isArchived } from "../resources/fields/is_archived.ts";
import { KINDS, RESOURCE_KINDS } from "../resources/kinds.ts";
import { planUpdate } from "../resources/plan_writes.ts";
import type { Resource } from "../resources/resource.ts";
import type { Fields } from "../resources/wire/resource_wire.ts";
import type { HistoryChangeType, HistoryEntityType, HistoryEvent } from "./history_event.ts";

/** Which values are put back. */
export interface RestoreOptions {
  /** Kinds of entities. @default keywords, product targeting, ad groups, campaigns */
  readonly entityTypes?: readonly HistoryEntityType[] | undefined;
  /** Which changes. @default bids and states */
  readonly changes?: readonly HistoryChangeType[] | undefined;
  /** Only these campaigns and what is in them. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Why the plan is made. */
  readonly note?: string | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** Changes that an update can undo, and the field it sets. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["CAMPAIGN STATUS", "state"],
  ["AD_GROUP STATUS", "state"],
  ["AD_GROUP BID_AMOUNT", "defaultBid"],
  ["AD_GROUP DEFAULT_BID_AMOUNT", "defaultBid"],
  ["KEYWORD STATUS", "state"],
  ["KEYWORD BID_AMOUNT", "bid"],
  ["PRODUCT_TARGETING STATUS", "state"],
  ["PRODUCT_TARGETING BID_AMOUNT", "bid"],
  ["AD STATUS", "state"],
]);

/** What the plan is made from, beside the events. */
interface RestoreParts {
  readonly profileId: string;
  readonly countryCode: string;
  readonly resource: (kind: string) => Resource;
  readonly note: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The plan that puts every value back to what it was before its first change.
 *
 * @param events The changes, oldest first.
 */
export async function planRestore(events: readonly HistoryEvent[], parts: RestoreParts): Promise<ChangePlan> {
  const warnings: string[] = [];
  const wanted = wantedValues(events, warnings);
  const changes: Change[] = [];
  const missing: string[] = [];
  for (const [entityType, values] of wanted) {
    let left = values;
    for (const kind of RESOURCE_KINDS.filter((name) => KINDS[name].historyType === entityType)) {
      if (left.size === 0) break;
      const resource = parts.resource(kind);
      const found = await resource.getMany([...left.keys()], { signal: parts.signal });
      const items: Fields[] = [];
      for (const [id, entity] of found) {
        const item = restorable(resource, { id, entity, values: left.get(id)! }, warnings);
        if (item !== undefined) items.push(item);
      }
      const plan = await planUpdate(resource, items, { signal: parts.signal, entities: found });
      changes.push(...plan.changes);
      left = new Map([...left].filter(([id]) => !found.has(id)));
    }
    missing.push(...left.keys());
  }
  const { profileId, countryCode, note } = parts;
  return new ChangePlan({ profileId, countryCode, note, changes, missing, warnings });
}

/** The value before the first change, by entity type, id and field. */
function wantedValues(
  events: readonly HistoryEvent[],
  warnings: string[],
): Map<string, Map<string, Map<string, string>>> {
  const wanted = new Map<string, Map<string, Map<string, string>>>();
  const seen = new Set<string>();
  for (const { entityType, entityId, changeType, previousValue } of events) {
    const field = FIELDS.get(`${entityType} ${changeType}`);
    const value = `${entityType} ${entityId} ${field ?? changeType}`;
    if (seen.has(value)) continue;
    seen.add(value);
    if (field === undefined) {
      warnings.push(`${entityType} ${entityId}: a change of ${changeType} cannot be undone by an update`);
    } else if (previousValue === undefined) {
      warnings.push(`${entityType} ${entityId}: "${field}" had no value before and cannot be emptied again`);
    } else {
      const byId = getOrAdd(wanted, entityType, () => new Map<string, Map<string, string>>());
      getOrAdd(byId, entityId, () => new Map<string, string>()).set(field, previousValue);
    }
  }
  return wanted;
}

/** The update that puts an entity's values back; adds to `warnings` what cannot be. */
function restorable(
  resource: Resource,
  { id, entity, values }: { id: string; entity: Fields; values: ReadonlyMap<string, string> },
  warnings: string[],
): Fields | undefined {
  const { spec } = resource;
  const name = `${spec.noun} ${id} ${spec.label(entity)}`.trim();
  if (isArchived(entity)) {
    warnings.push(`${name}: it is archived, which is permanent`);
    return undefined;
  }
  const item: Fields = {};
  for (const [field, value] of values) {
    const usable = field === "state"
      ? spec.settableStates.includes(value.toUpperCase())
      : spec.updatable.includes(field) && Number.isFinite(Number(value)) && value.trim() !== "";
    if (usable) item[field] = field === "state" ? value : Number(value);
    else warnings.push(`${name}: "${field}" cannot be set to "${value}"`);
  }
  return Object.keys(item).length === 0 ? undefined : { [spec.idField]: id, ...item };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
