import type { JsonObject } from "../core/json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import { type ItemError, itemError } from "./item_error.ts";
import type { EntityRules } from "./entity_resource.ts";

export function campaignOf(
  entity: JsonObject,
  profile: ProfileState,
  program = "sp",
): JsonObject | undefined {
  return profile.collection(`${program}.campaigns`).get(String(entity.campaignId));
}

export function adGroupOf(entity: JsonObject, profile: ProfileState, program = "sp"): JsonObject | undefined {
  return profile.collection(`${program}.ad_groups`).get(String(entity.adGroupId));
}

export function checkParentsOfNew(
  resource: EntityRules,
  item: JsonObject,
  profile: ProfileState,
): ItemError[] {
  for (const parent of resource.parents) {
    const found = parentOf(item, parent, { resource, profile });
    const field = `${parent}Id`;
    const isElsewhere = item.campaignId !== undefined && found?.campaignId !== item.campaignId;
    if (found === undefined || isElsewhere) {
      return [parentError("PARENT_ENTITY_NOT_FOUND", field, item, "Parent entity not found")];
    }
    if (isClosed(found, { resource, profile })) {
      return [parentError("PARENT_ENTITY_ARCHIVED", field, item, "Parent entity is archived")];
    }
  }
  return [];
}

export function hasArchivedParent(
  resource: EntityRules,
  entity: JsonObject,
  profile: ProfileState,
): boolean {
  return resource.parents.some((parent) => {
    const found = parentOf(entity, parent, { resource, profile });
    return found !== undefined && isClosed(found, { resource, profile });
  });
}

interface Place {
  readonly resource: EntityRules;
  readonly profile: ProfileState;
}

function parentOf(
  entity: JsonObject,
  parent: "campaign" | "adGroup",
  { resource, profile }: Place,
): JsonObject | undefined {
  const program = resource.kind.split(".")[0]!;
  return (parent === "campaign" ? campaignOf : adGroupOf)(entity, profile, program);
}

function isClosed(parent: JsonObject, place: Place): boolean {
  return parent.state === "ARCHIVED" || parentOf(parent, "campaign", place)?.state === "ARCHIVED";
}

function parentError(reason: string, field: string, item: JsonObject, message: string): ItemError {
  return itemError(["parentEntityError", reason], field, message, { trigger: item[field] });
}
