import { type Filter, idsIn, termsLike, valuesIn } from "../../entities/filter.ts";
import type { EntityResource, TrackedValue } from "../../entities/entity_resource.ts";
import { textOf } from "../sponsored_products/common.ts";
import { choice, type Shape, text } from "../../entities/shape.ts";

export const BRANDS_LIMITS: Pick<EntityResource, "maxItems" | "largestPage" | "moments"> = {
  maxItems: 10,
  largestPage: 100,
  moments: "number",
};

export const MAX_IDS = 10;

export const STATE: Shape = choice("ENABLED", "PAUSED");

export const NAME: Shape = text({ min: 1, max: 255 });

export const STATE_FILTER: Filter = valuesIn("state", 10, ["ENABLED", "PAUSED", "ARCHIVED"]);

export const NAME_FILTER: Filter = termsLike((entity) => [String(entity.name)], { max: 100 });

export function parentFilter(field: string): Filter {
  return idsIn(field, MAX_IDS);
}

export const NAME_TRACKED: TrackedValue = { changeType: "NAME", read: (entity) => textOf(entity.name) };
