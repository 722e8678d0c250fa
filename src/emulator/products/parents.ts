import type { JsonObject } from "../json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { type ItemError, itemError } from "./item_error.ts";
import type { ProductResource } from "./product_resource.ts";

/** The campaign an entity lies in. */
export function campaignOf(entity: JsonObject, profile: ProfileState): JsonObject | undefined {
  return profile.collection("sp.campaigns").get(String(entity.campaignId));
}

/** The ad group an entity lies in. */
export function adGroupOf(entity: JsonObject, profile: ProfileState): JsonObject | undefined {
  return profile.collection("sp.ad_groups").get(String(entity.adGroupId));
}

/** Why nothing can be created below these parents. */
export function checkParentsOfNew(
  resource: ProductResource,
  item: JsonObject,
  profile: ProfileState,
): ItemError[] {
  for (const parent of resource.parents) {
    const field = `${parent}Id`;
    const found = parent === "campaign" ? campaignOf(item, profile) : adGroupOf(item, profile);
    const options = { trigger: item[field] };
    if (found === undefined || (parent === "adGroup" && found.campaignId !== item.campaignId)) {
      return [
        itemError(
          ["parentEntityError", "PARENT_ENTITY_NOT_FOUND"],
          field,
          "Parent entity not found",
          options,
        ),
      ];
    }
    if (found.state === "ARCHIVED") {
      return [
        itemError(
          ["parentEntityError", "PARENT_ENTITY_ARCHIVED"],
          field,
          "Parent entity is archived",
          options,
        ),
      ];
    }
  }
  return [];
}

/** Whether an entity lies in something that was archived. */
export function hasArchivedParent(
  resource: ProductResource,
  entity: JsonObject,
  profile: ProfileState,
): boolean {
  return resource.parents.some((parent) =>
    (parent === "campaign" ? campaignOf(entity, profile) : adGroupOf(entity, profile))?.state === "ARCHIVED"
  );
}
