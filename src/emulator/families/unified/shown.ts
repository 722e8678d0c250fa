import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import type { Quirks } from "../../core/quirks.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { part } from "./common.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

export interface Place {
  readonly profile: ProfileState;
  readonly quirks: Quirks;
}

const TAGS = "unified.tags";
/** Prefix of target ids if the unified and older families use different ids. */
const OTHER = "7";

export function shown(kind: UnifiedKind, entity: JsonObject, { profile, quirks }: Place): JsonObject {
  const id = String(entity[kind.idField]);
  const tags = profile.collection(TAGS).get(`${kind.entity} ${id}`)?.tags;
  const whole = tags === undefined ? entity : { ...entity, tags };
  if (kind.entity !== "targets") return whole;
  const target = withoutCampaign(whole, quirks);
  return quirks.unifiedTargetIds === "equal" ? target : { ...target, targetId: `${OTHER}${id}` };
}

export function withoutCampaign(entity: JsonObject, { unifiedTargetCampaigns }: Quirks): JsonObject {
  if (unifiedTargetCampaigns || entity.targetLevel !== "AD_GROUP") return entity;
  const { campaignId: _, ...others } = entity;
  return others;
}

export function keptId(kind: UnifiedKind, id: string, { quirks }: Pick<Place, "quirks">): string {
  if (kind.entity !== "targets" || quirks.unifiedTargetIds === "equal") return id;
  return id.startsWith(OTHER) ? id.slice(OTHER.length) : `none ${id}`;
}

/** An update without labels keeps the existing ones. */
export function keepTags(
  kind: UnifiedKind,
  { source, entity, tags }: { source: UnifiedSource; entity: JsonObject; tags: Json | undefined },
  { profile, quirks }: Place,
): void {
  if (!Array.isArray(tags)) return;
  const { idField } = profile.collection(source.collection);
  const id = `${kind.entity} ${entity[idField]}`;
  const collection = profile.collection(TAGS);
  const before = collection.get(id);
  const kept = before === undefined || quirks.unifiedLists === "replace"
    ? tags
    : mergedBy("key", before.tags, tags);
  if (before === undefined) collection.insert({ id, tags: kept });
  else collection.replace({ id, tags: kept });
}

export function merged(
  { entity }: UnifiedKind,
  { patch, before }: { patch: JsonObject; before: JsonObject },
  { quirks }: Pick<Place, "quirks">,
): JsonObject {
  if (entity !== "campaigns" || quirks.unifiedLists === "replace") return patch;
  const { tags, dynamicBidding } = patch;
  const { placementBidding } = part({ dynamicBidding }, "dynamicBidding");
  return {
    ...patch,
    ...(isObject(tags) ? { tags: { ...part(before, "tags"), ...tags } } : {}),
    ...(Array.isArray(placementBidding)
      ? {
        dynamicBidding: {
          ...part({ dynamicBidding }, "dynamicBidding"),
          placementBidding: mergedBy(
            "placement",
            part(before, "dynamicBidding").placementBidding,
            placementBidding,
          ),
        },
      }
      : {}),
  };
}

function mergedBy(name: string, before: Json | undefined, after: readonly Json[]): Json[] {
  const old = objectsIn(before) ?? [];
  const named = new Set(after.filter(isObject).map((one) => one[name]));
  return [...old.filter((one) => !named.has(one[name])), ...after];
}
