import type { ResourceSpec } from "../entities/model/resource_spec.ts";
import type { Fields } from "../entities/model/resource_wire.ts";
import type { HistoryChangeType, HistoryEntityType, HistoryEvent } from "./history_event.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Moment } from "../../base/time/moment.ts";
import { isArchived } from "../entities/model/identity.ts";
import { mergeFields } from "../../plans/state/merge_fields.ts";
import { KINDS, RESOURCE_KINDS } from "../entities/kinds/kinds.ts";
import { planArchive, planUpdate } from "../entities/resource/plan_writes.ts";
import type { Resource, ResourceScope } from "../entities/resource/resource.ts";

/** How a restoring plan treats entities created since the moment; archiving them is permanent. */
export type CreatedSince = "pause" | "archive" | "keep";

/** Which changes to undo. */
export interface RestoreOptions {
  /** Only changes up to this moment; a value that changed again later is left unchanged. @default now */
  readonly until?: Moment | undefined;
  /** Kinds of entities. @default every kind whose changes are recorded */
  readonly entityTypes?: readonly HistoryEntityType[] | undefined;
  /** Types of changes. @default every change */
  readonly changes?: readonly HistoryChangeType[] | undefined;
  /** Only these campaigns and their contents. */
  readonly campaignIds?: readonly string[] | undefined;
  /** How to treat entities created since the moment. @default "pause" */
  readonly created?: CreatedSince | undefined;
  /**
   * Returns true for changes to undo; a value that changed again later is left unchanged, with a warning.
   *
   * @default every change
   */
  readonly only?: ((event: HistoryEvent) => boolean) | undefined;
  /** Reason for the plan. */
  readonly note?: string | undefined;
  /** Aborts reading the history and the current values. */
  readonly signal?: AbortSignal | undefined;
}

interface RestoreParts {
  readonly scope: ResourceScope;
  readonly resource: (kind: string) => Resource;
  readonly until: number;
  readonly created: CreatedSince;
  readonly only: RestoreOptions["only"];
  readonly note: string;
  readonly signal: AbortSignal | undefined;
}

interface EntityChanges {
  created?: HistoryEvent;
  readonly first: HistoryEvent[];
}

const NOT_MADE_BY_ANYONE = new Set<string>(["IN_BUDGET"]);

/** @param events All changes since the chosen moment, oldest first. */
export async function planRestore(events: readonly HistoryEvent[], parts: RestoreParts): Promise<ChangePlan> {
  const { scope: { profileId, countryCode }, note, signal } = parts;
  const warnings: string[] = [];
  const plans: ChangePlan[] = [];
  const missing: string[] = [];
  const chosen = parts.only === undefined
    ? events
    : chosenEvents(events, { only: parts.only, until: parts.until }, warnings);
  for (const [entityType, entities] of changedEntities(chosen, parts.until, warnings)) {
    let left = entities;
    for (const kind of RESOURCE_KINDS.filter((name) => KINDS[name].historyType === entityType)) {
      if (left.size === 0) break;
      const resource = parts.resource(kind);
      const found = await resource.getMany([...left.keys()], { signal });
      const { items, archived } = restoring(resource, { found, left, created: parts.created }, warnings);
      const options = { signal, entities: found, scope: parts.scope };
      plans.push(new ChangePlan(await planUpdate(resource, items, options)));
      if (archived.length > 0) plans.push(new ChangePlan(await planArchive(resource, archived, options)));
      left = new Map([...left].filter(([id]) => !found.has(id)));
    }
    // What was created since and is gone needs nothing.
    missing.push(...[...left].flatMap(([id, { created }]) => created === undefined ? [id] : []));
  }
  const merged = plans.length === 0 ? { changes: [] } : ChangePlan.merge(plans);
  const fields = {
    ...merged,
    profileId,
    countryCode,
    note,
    missing,
    warnings: [...warnings, ...("warnings" in merged ? merged.warnings : [])],
  };
  return await reviewed(fields, parts.scope, { signal });
}

/**
 * Selects the events to undo. Changes followed by someone else's change are left out; any later change after `until`
 * protects its value.
 */
function chosenEvents(
  events: readonly HistoryEvent[],
  { only, until }: { only: (event: HistoryEvent) => boolean; until: number },
  warnings: string[],
): HistoryEvent[] {
  const chosen = new Set<HistoryEvent>();
  const within = events.filter(({ timestamp }) => timestamp <= until);
  for (const ofValue of Map.groupBy(within, valueKey).values()) {
    const own = ofValue.slice(ofValue.findLastIndex((event) => !only(event)) + 1);
    const [{ entityType, entityId, changeType }] = ofValue as [HistoryEvent];
    if (own.length === 0 && ofValue.some(only)) {
      warnings.push(
        `${entityType} ${entityId}: ${changeType} was changed by others since, so it is left as it is`,
      );
    }
    for (const event of own) chosen.add(event);
  }
  return events.filter((event) => chosen.has(event) || event.timestamp > until);
}

function changedEntities(
  events: readonly HistoryEvent[],
  until: number,
  warnings: string[],
): Map<string, Map<string, EntityChanges>> {
  const changed = new Map<string, Map<string, EntityChanges>>();
  const changedLater = new Set(events.filter(({ timestamp }) => timestamp > until).map(valueKey));
  const created = new Set(
    events.filter(({ changeType }) => changeType === "CREATED").map(({ entityId }) => entityId),
  );
  const seen = new Set<string>();
  for (const event of events) {
    const { entityType, entityId, changeType, timestamp } = event;
    const key = valueKey(event);
    if (timestamp > until || seen.has(key) || NOT_MADE_BY_ANYONE.has(changeType)) continue;
    seen.add(key);
    const { campaignId = "", adGroupId = "" } = event.metadata;
    // What is in a new campaign goes with it.
    if (
      [campaignId, adGroupId].some((parent) => parent !== entityId && created.has(parent)) ||
      changeType !== "CREATED" && created.has(entityId)
    ) continue;
    if (changedLater.has(key)) {
      warnings.push(
        `${entityType} ${entityId}: ${changeType} changed again after ${
          new Date(until).toISOString()
        }, so it is left as it is`,
      );
      continue;
    }
    const ofType = getOrAdd(changed, entityType, () => new Map<string, EntityChanges>());
    const entity = getOrAdd(ofType, entityId, (): EntityChanges => ({ first: [] }));
    if (changeType === "CREATED") entity.created = event;
    else entity.first.push(event);
  }
  for (const entityType of changed.keys()) {
    if (RESOURCE_KINDS.some((kind) => KINDS[kind].historyType === entityType)) continue;
    warnings.push(`Changes of ${entityType} cannot be undone: ${changed.get(entityType)?.size} entities`);
    changed.delete(entityType);
  }
  return changed;
}

function restoring(
  resource: Resource,
  { found, left, created }: {
    found: ReadonlyMap<string, Fields>;
    left: ReadonlyMap<string, EntityChanges>;
    created: CreatedSince;
  },
  warnings: string[],
): { items: Fields[]; archived: string[] } {
  const { spec } = resource;
  const items: Fields[] = [];
  const archived: string[] = [];
  for (const [id, entity] of found) {
    const changes = left.get(id);
    if (changes === undefined) continue;
    const name = `${spec.noun} ${id} ${spec.label(entity)}`.trim();
    if (isArchived(entity)) {
      if (changes.created === undefined) warnings.push(`${name}: it is archived, which is permanent`);
      continue;
    }
    if (changes.created !== undefined) {
      if (created === "archive" && resource.archivable) archived.push(id);
      else if (created === "pause" && spec.settableStates.includes("PAUSED")) {
        items.push({ [spec.idField]: id, state: "PAUSED" });
        warnings.push(`${name}: it was created since, and is paused; archiving it would be permanent`);
      } else warnings.push(`${name}: it was created since, and is left as it is`);
      continue;
    }
    const item: Fields = {};
    for (const event of changes.first) {
      const fields = restoredFields(event, { spec, entity });
      if (typeof fields === "string") {
        warnings.push(`${name}: ${fields}`);
        continue;
      }
      for (const [field, value] of Object.entries(fields)) {
        item[field] = item[field] === undefined ? value : mergeFields(item[field], value);
      }
    }
    if (Object.keys(item).length > 0) items.push({ [spec.idField]: id, ...item });
  }
  return { items, archived };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const PLACEMENTS: Readonly<Record<string, string>> = {
  TOP_OF_SEARCH: "PLACEMENT_TOP",
  DETAIL_PAGE: "PLACEMENT_PRODUCT_PAGE",
  REST_OF_SEARCH: "PLACEMENT_REST_OF_SEARCH",
};

const FIELDS: Readonly<Record<string, string>> = {
  STATUS: "state",
  BID_AMOUNT: "bid",
  DEFAULT_BID_AMOUNT: "defaultBid",
  BUDGET_AMOUNT: "budget",
  NAME: "name",
  START_DATE: "startDate",
  END_DATE: "endDate",
  PORTFOLIO_ID: "portfolioId",
  PORTFOLIO: "portfolioId",
  SMART_BIDDING_STRATEGY: "dynamicBidding",
  PLACEMENT_GROUP: "dynamicBidding",
};

function valueKey({ entityType, entityId, changeType, metadata }: HistoryEvent): string {
  const position = metadata["placementGroupPosition"] ?? "";
  return [entityType, entityId, fieldOf(entityType, changeType) ?? changeType, changeType, position].join(
    " ",
  );
}

function restoredFields(
  event: HistoryEvent,
  { spec, entity }: { spec: ResourceSpec; entity: Fields },
): Fields | string {
  const { entityType, changeType, previousValue: value } = event;
  const field = fieldOf(entityType, changeType);
  if (field === undefined || !spec.updatable.includes(field)) {
    return `a change of ${changeType} cannot be undone by an update`;
  }
  if (changeType === "PLACEMENT_GROUP") return placement(event);
  if (value === undefined) {
    return spec.clearable?.includes(field)
      ? { [field]: null }
      : `"${field}" had no value before and cannot be cleared`;
  }
  const restored = readValue(changeType, value.trim(), { spec, entity, field });
  return restored ?? `"${field}" cannot be set to "${value}"`;
}

function readValue(
  changeType: string,
  value: string,
  { spec, entity, field }: { spec: ResourceSpec; entity: Fields; field: string },
): Fields | undefined {
  switch (changeType) {
    case "STATUS":
      return spec.settableStates.includes(value.toUpperCase()) ? { state: value } : undefined;
    case "NAME":
      return value === "" ? undefined : { name: value };
    case "START_DATE":
    case "END_DATE": {
      const [day] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(value) ?? [];
      return day === undefined ? undefined : { [field]: day };
    }
    case "PORTFOLIO":
    case "PORTFOLIO_ID":
      return /^\d+$/.test(value) ? { portfolioId: value } : undefined;
    case "SMART_BIDDING_STRATEGY":
      return /^[A-Z_]+$/.test(value) ? { dynamicBidding: { strategy: value } } : undefined;
    default: {
      const amount = Number(value);
      if (value === "" || !Number.isFinite(amount)) return undefined;
      // Products campaigns have the amount inside of the budget, Brands campaigns beside its type.
      const isInside = changeType === "BUDGET_AMOUNT" && typeof entity["budget"] === "object";
      return { [field]: isInside ? { budget: amount } : amount };
    }
  }
}

function placement({ previousValue = "0", metadata }: HistoryEvent): Fields | string {
  const position = String(metadata["placementGroupPosition"] ?? "an unnamed placement");
  const placement = PLACEMENTS[position];
  const percentage = Number(previousValue);
  if (placement === undefined || !Number.isFinite(percentage)) {
    return `the adjustment of ${position} cannot be set to "${previousValue}"`;
  }
  return { dynamicBidding: { placementBidding: [{ placement, percentage }] } };
}

function fieldOf(entityType: string, changeType: string): string | undefined {
  return entityType === "AD_GROUP" && changeType === "BID_AMOUNT" ? "defaultBid" : FIELDS[changeType];
}
