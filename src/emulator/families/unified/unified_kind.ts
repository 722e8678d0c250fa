import type { JsonObject } from "../../core/json.ts";
import type { Filter } from "../../entities/filter.ts";
import type { Fields } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { Engine } from "./engine.ts";

export type AdProduct = "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";

export interface UnifiedSource {
  readonly adProduct: AdProduct;
  readonly collection: string;
  /**
   * True if the collection stores labels itself; otherwise they are stored separately.
   *
   * @default false
   */
  readonly ownTags?: boolean;
  readonly takes?: (item: JsonObject) => boolean;
  /**
   * Entities that the unified family cannot express are not listed.
   *
   * @default all
   */
  readonly shows?: (entity: JsonObject) => boolean;
  readonly createFields: Fields;
  readonly updateFields: Fields;
  readonly engine: Engine;
  readonly toDraft: (item: JsonObject, profile: ProfileState) => JsonObject;
  readonly toPatch: (item: JsonObject, before: JsonObject, profile: ProfileState) => JsonObject;
  readonly toUnified: (entity: JsonObject, profile: ProfileState) => JsonObject;
}

export interface UnifiedKind {
  readonly entity: string;
  readonly singular: string;
  readonly idField: string;
  readonly archivable?: boolean;
  readonly ofAnyProduct?: boolean;
  readonly filters: Readonly<Record<string, Filter>>;
  readonly sources: readonly UnifiedSource[];
}
