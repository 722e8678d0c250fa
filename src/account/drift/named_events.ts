import type { ProfileClient } from "../../client/profile_client.ts";
import type { HistoryEvent } from "../../history/history_event.ts";
import { KINDS, RESOURCE_KINDS } from "../../resources/kinds.ts";

/** A change of the history with the kind and the name of its entity. */
export interface NamedEvent {
  readonly event: HistoryEvent;
  /** Resource kind; the history's own word where no kind has the entity. */
  readonly kind: string;
  /** What a person calls the entity; empty where it is not there. */
  readonly label: string;
}

/** Finds the kinds and names of the entities that changed: the history has one word for the kinds of both products. */
export async function namedEvents(
  events: readonly HistoryEvent[],
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<NamedEvent[]> {
  const found = new Map<string, { kind: string; label: string }>();
  for (const [entityType, own] of Map.groupBy(events, (event) => event.entityType)) {
    const open = new Set(own.map(({ entityId }) => entityId));
    for (const kind of RESOURCE_KINDS.filter((name) => KINDS[name].historyType === entityType)) {
      if (open.size === 0) break;
      const ids = [...open].filter((id) => /^\d{1,20}$/.test(id));
      const entities = await profile.resource(kind as string).getMany(ids, { signal });
      for (const [id, entity] of entities) {
        found.set(`${entityType} ${id}`, { kind, label: KINDS[kind].label(entity) });
        open.delete(id);
      }
    }
  }
  return events.map((event) => {
    const { kind = event.entityType, label = "" } = found.get(`${event.entityType} ${event.entityId}`) ?? {};
    return { event, kind, label };
  });
}
