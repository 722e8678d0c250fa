import type { ProfileClient } from "../../client/profile_client.ts";
import type { HistoryEvent } from "../../client/insights/history_event.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { KINDS, RESOURCE_KINDS } from "../../client/entities/kinds/kinds.ts";

export interface NamedEvent {
  readonly event: HistoryEvent;
  /** Resource kind, or the history's own term if no kind matches. */
  readonly kind: string;
  /** Empty if the entity no longer exists. */
  readonly label: string;
  readonly campaign: string | undefined;
  readonly campaignId: string | undefined;
  readonly globalCampaignId: string | undefined;
  readonly wholeId: string | undefined;
}

const WHOLE_FIELDS = [
  "globalCampaignId",
  "globalAdGroupId",
  "globalKeywordId",
  "globalTargetId",
  "globalAdId",
];

type Found = Pick<NamedEvent, "kind" | "label" | "globalCampaignId" | "wholeId" | "campaignId">;

const NOT_FOUND: Partial<Found> = {};

export async function namedEvents(
  events: readonly HistoryEvent[],
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<NamedEvent[]> {
  const found = new Map<string, Found>();
  const names = new Map<string, string>();
  for (const [entityType, own] of Map.groupBy(events, (event) => event.entityType)) {
    const open = new Set(own.map(({ entityId }) => entityId));
    for (const kind of RESOURCE_KINDS.filter((name) => KINDS[name].historyType === entityType)) {
      if (open.size === 0) break;
      const ids = [...open].filter((id) => /^\d{1,20}$/.test(id));
      const entities = await profile.resource(kind as string).getMany(ids, { signal });
      for (const [id, entity] of entities) {
        if (kind.endsWith(".campaigns")) names.set(id, KINDS[kind].label(entity));
        const fields = fieldsOf(entity);
        const { campaignId, globalCampaignId } = fields;
        const wholeId = WHOLE_FIELDS.map((name) => fields[name]).find((id) => typeof id === "string");
        found.set(`${entityType} ${id}`, {
          kind,
          label: KINDS[kind].label(entity),
          campaignId: typeof campaignId === "string" ? campaignId : undefined,
          globalCampaignId: typeof globalCampaignId === "string" ? globalCampaignId : undefined,
          wholeId: typeof wholeId === "string" ? wholeId : undefined,
        });
        open.delete(id);
      }
    }
  }
  const placed = events.map((event) => {
    const {
      kind = event.entityType,
      label = "",
      campaignId = event.metadata.campaignId,
      globalCampaignId,
      wholeId,
    } = found.get(`${event.entityType} ${event.entityId}`) ?? NOT_FOUND;
    return { event, kind, label, campaignId, globalCampaignId, wholeId };
  });
  const unnamed = placed.flatMap(({ campaignId = "" }) => names.has(campaignId) ? [] : campaignId);
  for (const [id, name] of await campaignNames(unnamed, profile, signal)) names.set(id, name);
  return placed.map((one) => ({ ...one, campaign: names.get(one.campaignId ?? "") }));
}

async function campaignNames(
  ids: readonly string[],
  profile: ProfileClient,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const open = new Set(ids.filter((id) => /^\d{1,20}$/.test(id)));
  for (const kind of RESOURCE_KINDS.filter((name) => name.endsWith(".campaigns"))) {
    if (open.size === 0) break;
    for (const [id, entity] of await profile.resource(kind as string).getMany([...open], { signal })) {
      names.set(id, KINDS[kind].label(entity));
      open.delete(id);
    }
  }
  return names;
}
