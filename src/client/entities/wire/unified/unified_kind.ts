import type { Fields, WireProblem } from "../../model/resource_wire.ts";
import type { UnifiedField, WirePlace } from "./unified_field.ts";

/** Ad product as the unified family names it. */
export type AdProduct = "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";

/** A kind of ours in the unified family, as data. */
export interface UnifiedKind {
  readonly adProduct: AdProduct;
  /** Name of its entities in paths and lists. */
  readonly entity: "campaigns" | "adGroups" | "ads" | "adExtensions" | "targets";
  /** True for kinds of a global account, whose header stands in place of the profile's. @default false */
  readonly isGlobal?: boolean;
  /** API of the catalog and its operations without the verb, for example `v1-sp-targets:SP` and `Target`. */
  readonly operations: readonly [prefix: string, name: string];
  /** The fields; the first is the id. */
  readonly fields: readonly UnifiedField[];
  /** Fields that are read where extended data is asked for. */
  readonly extendedFields?: readonly UnifiedField[];
  /** Fields that every create has beside those of the item. */
  readonly constants?: Fields;
  /** Fields of a create that the item may have left out. */
  readonly defaults?: (place: WirePlace) => Fields;
  /** Filters that every query has beside those of the list. */
  readonly filters?: Fields;
  /** Completes the body of an item with what belongs to its fields. */
  readonly finish?: (body: Fields) => Fields;
  /** Fields that an update must repeat, with a value that each may have. */
  readonly repeats?: (update: Fields) => Readonly<Record<string, string>>;
  /** Fields of ours that the family has nothing like, each with the reason that a refusal adds. */
  readonly lacks?: Readonly<Record<string, string>>;
  /** Names further fields of an entity that reading by this family loses. */
  readonly lost?: (entity: Fields) => readonly string[];
  /** Problems of an item that no field has alone. */
  readonly check?: (item: Fields, op: "create" | "update") => readonly WireProblem[];
  /** Accepts an entity of this kind; a query may bring entities of others. */
  readonly accepts?: (entity: Fields) => boolean;
  /** Filters of the older families that a list may name, and the filter here that each is. */
  readonly renamedFilters?: Readonly<Record<string, string>>;
  /** False where the family cannot archive it. @default true */
  readonly archivable?: boolean;
  /** Published sizes; 0 for a filter that the family does not have, whose entities are then picked out here. */
  readonly limits: {
    readonly write: number;
    readonly archive: number;
    readonly page: number;
    readonly ids: number;
    readonly campaignIds: number;
    readonly adGroupIds: number;
    readonly states: number;
  };
}
