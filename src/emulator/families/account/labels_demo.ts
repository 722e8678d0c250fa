import { hash } from "../../core/random.ts";
import type { JsonObject } from "../../core/json.ts";

export function buildLabels(
  collections: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, JsonObject[]> {
  const live = (kind: string): JsonObject[] =>
    (collections[kind] ?? []).filter(({ state }) => String(state).toUpperCase() !== "ARCHIVED");
  const products = live("sp.campaigns").map(({ campaignId }) => String(campaignId));
  const brands = live("sb.campaigns").map(({ campaignId }) => String(campaignId));
  const groups = live("sp.ad_groups").filter(({ campaignId }) => String(campaignId) === products[2])
    .map(({ adGroupId }) => String(adGroupId));
  const label = (name: string, type: string, objects: readonly string[]): JsonObject => ({
    labelId: `label-${(hash(`${name} ${objects[0]}`) >>> 0).toString(36)}`,
    labelName: name,
    labelObjectType: type,
    labelObjectIds: [...objects],
  });
  return {
    labels: [
      label("Core range", "CAMPAIGN", [...products.slice(0, 2), ...brands.slice(0, 1)]),
      label("On trial", "AD_GROUP", groups),
    ],
  };
}
