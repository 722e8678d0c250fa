import type { JsonObject } from "../core/json.ts";
import type { HistoryEvent } from "../state/history_event.ts";
import type { EntityRules, HistorySpec, RuleContext } from "./entity_resource.ts";

export function recordCreation(resource: EntityRules, entity: JsonObject, context: RuleContext): void {
  const { history } = resource;
  if (history === undefined) return;
  const change = { changeType: "CREATED", previousValue: null, newValue: String(entity.state ?? "ENABLED") };
  context.profile.recordEvent({
    ...eventBase(history, entity, context, idOf(resource, entity, context)),
    ...change,
  });
}

export function recordChanges(
  resource: EntityRules,
  { before, after }: { before: JsonObject; after: JsonObject },
  context: RuleContext,
): void {
  const { history } = resource;
  if (history === undefined) return;
  const base = eventBase(history, after, context, idOf(resource, after, context));
  for (const { changeType, read, metadata } of history.tracked) {
    const previousValue = read(before) ?? null;
    const newValue = read(after) ?? null;
    if (previousValue === newValue) continue;
    const details = { ...base.metadata, ...metadata };
    context.profile.recordEvent({ ...base, changeType, previousValue, newValue, metadata: details });
  }
}

type EventBase = Omit<HistoryEvent, "changeType" | "previousValue" | "newValue">;

function eventBase(
  history: HistorySpec,
  entity: JsonObject,
  context: RuleContext,
  entityId: string,
): EventBase {
  const place: Record<string, string> = {};
  for (const field of ["campaignId", "adGroupId"]) {
    if (entity[field] !== undefined) place[field] = String(entity[field]);
  }
  return {
    entityType: history.entityType,
    entityId,
    timestamp: context.clock.now(),
    metadata: { ...place, ...history.metadata?.(entity) },
    ...(history.unpublished ? { unpublished: true } : {}),
  };
}

function idOf(resource: EntityRules, entity: JsonObject, { profile }: RuleContext): string {
  return String(entity[profile.collection(resource.kind).idField]);
}
