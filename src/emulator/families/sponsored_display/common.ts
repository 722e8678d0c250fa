import type { JsonObject } from "../../core/json.ts";
import type { RuleContext } from "../../entities/entity_resource.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import { choice, type Shape } from "../../entities/shape.ts";
import type { BidKind } from "../../core/marketplaces.ts";

export const STATE: Shape = choice("enabled", "paused", "archived");

export const MAX_ITEMS = 100;

export function campaignOf(
  entity: JsonObject,
  { profile }: Pick<RuleContext, "profile">,
): JsonObject | undefined {
  const direct = entity.campaignId ?? adGroupOf(entity, { profile })?.campaignId;
  return profile.collection("sd.campaigns").get(String(direct));
}

export function adGroupOf(
  entity: JsonObject,
  { profile }: Pick<RuleContext, "profile">,
): JsonObject | undefined {
  return profile.collection("sd.ad_groups").get(String(entity.adGroupId));
}

export function bidKindOf(campaign: JsonObject | undefined): BidKind {
  return campaign?.costType === "vcpm" ? "sdVcpm" : "sdCpc";
}

export function invalid(field: string, message: string): ItemError {
  return itemError(["rangeError", "INVALID_ENUM_VALUE"], field, message);
}
