import type { ProfileClient } from "../../client/profile_client.ts";
import type { HistoryEvent } from "../../client/insights/history_event.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { KINDS, RESOURCE_KINDS } from "../../client/entities/kinds.ts";

/** A change of the history with the kind and the name of its entity. */
export interface NamedEvent {
  readonly event: HistoryEvent;
  /** Resource kind; the history's own word where no kind has the entity. */
  readonly kind: string;
  /** Name of the entity for people; empty where the entity is gone. */
  readonly label: string;
  /** Name of the campaign that it is in, or is; `undefined` where it is not there. */
  readonly campaign: string | undefined;
  /** Id of that campaign; `undefined` where it is not known. */
  readonly campaignId: string | undefined;
  /** Id of the global campaign that it is the copy of; `undefined` for any other. */
  readonly globalCampaignId: string | undefined;
  /** Id of the global entity that it is the copy of, a campaign or what is in one; `undefined` for any other. */
  readonly wholeId: string | undefined;
}

/** Fields by which copies name what they are copies of. */
const WHOLE_FIELDS = [
  "globalCampaignId",
  "globalAdGroupId",
  "globalKeywordId",
  "globalTargetId",
  "globalAdId",
];

type Found = Pick<NamedEvent, "kind" | "label" | "globalCampaignId" | "wholeId" | "campaignId">;

const NOT_FOUND: Partial<Found> = {};

/** Finds the kinds and names of the entities that changed: the history has one word for the kinds of both products. */
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

/** Names of campaigns of all products, by id. */
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
