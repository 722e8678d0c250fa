import { type Filter, idsIn, termsLike, valuesIn } from "../../entities/filter.ts";
import type { EntityResource, TrackedValue } from "../../entities/entity_resource.ts";
import { textOf } from "../sponsored_products/common.ts";
import { choice, type Shape, text } from "../../entities/shape.ts";

/** Common limits of the Sponsored Brands resources of version 4: small batches, small pages, moments as numbers. */
export const BRANDS_LIMITS: Pick<EntityResource, "maxItems" | "largestPage" | "moments"> = {
  maxItems: 10,
  largestPage: 100,
  moments: "number",
};

/** Most ids in any id filter. */
export const MAX_IDS = 10;

/** States that a create or an update may set. */
export const STATE: Shape = choice("ENABLED", "PAUSED");

/** Name of an ad group or an ad. */
export const NAME: Shape = text({ min: 1, max: 255 });

export const STATE_FILTER: Filter = valuesIn("state", 10, ["ENABLED", "PAUSED", "ARCHIVED"]);

export const NAME_FILTER: Filter = termsLike((entity) => [String(entity.name)], { max: 100 });

/** A filter of another entity's ids. */
export function parentFilter(field: string): Filter {
  return idsIn(field, MAX_IDS);
}

/** The name of an entity, as its history follows it. */
export const NAME_TRACKED: TrackedValue = { changeType: "NAME", read: (entity) => textOf(entity.name) };
