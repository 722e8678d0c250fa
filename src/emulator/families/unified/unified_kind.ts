import type { JsonObject } from "../../core/json.ts";
import type { Filter } from "../../entities/filter.ts";
import type { Fields } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { Engine } from "./engine.ts";

/** An ad product whose entities are served. */
export type AdProduct = "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";

/** A collection whose entities are also seen under their unified shape. */
export interface UnifiedSource {
  readonly adProduct: AdProduct;
  readonly collection: string;
  /** True where the collection keeps labels itself; those of other collections are kept beside it. @default false */
  readonly ownTags?: boolean;
  /** Accepts an item of a create for this kind; absent where the ad product has one kind only. */
  readonly takes?: (item: JsonObject) => boolean;
  /** Accepts an entity that the family has a form for; others are not listed. @default all */
  readonly shows?: (entity: JsonObject) => boolean;
  /** Fields of an item of a create. */
  readonly createFields: Fields;
  /** Fields of an item of an update. */
  readonly updateFields: Fields;
  /** Carries out writes. */
  readonly engine: Engine;
  /** An item of a create as the collection's own API takes it. */
  readonly toDraft: (item: JsonObject, profile: ProfileState) => JsonObject;
  /** An item of an update as the collection's own API takes it. */
  readonly toPatch: (item: JsonObject, before: JsonObject, profile: ProfileState) => JsonObject;
  /** An entity in its unified shape. */
  readonly toUnified: (entity: JsonObject, profile: ProfileState) => JsonObject;
}

/** One kind of the family, such as campaigns, of every ad product. */
export interface UnifiedKind {
  /** Name in paths and of lists, for example `adGroups`. */
  readonly entity: string;
  /** Name of one, for example `adGroup`. */
  readonly singular: string;
  readonly idField: string;
  /** False where the family has no delete. @default true */
  readonly archivable?: boolean;
  /** True where a query may be about every ad product. @default false */
  readonly ofAnyProduct?: boolean;
  /** Filters of a query, besides the ad product's; they look at the unified shape. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Collections of its entities. */
  readonly sources: readonly UnifiedSource[];
}
