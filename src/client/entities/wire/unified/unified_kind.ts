import type { Fields, WireProblem } from "../../model/resource_wire.ts";
import type { UnifiedField, WirePlace } from "./unified_field.ts";

export type AdProduct = "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";

export interface UnifiedKind {
  readonly adProduct: AdProduct;
  readonly entity: "campaigns" | "adGroups" | "ads" | "adExtensions" | "targets";
  readonly isGlobal?: boolean;
  /** Prefix and entity name of the operations, for example `v1-sp-targets:SP` and `Target`. */
  readonly operations: readonly [prefix: string, name: string];
  readonly fields: readonly UnifiedField[];
  readonly extendedFields?: readonly UnifiedField[];
  readonly constants?: Fields;
  readonly defaults?: (place: WirePlace) => Fields;
  readonly filters?: Fields;
  readonly finish?: (body: Fields) => Fields;
  readonly repeats?: (update: Fields) => Readonly<Record<string, string>>;
  readonly lacks?: Readonly<Record<string, string>>;
  readonly check?: (item: Fields, op: "create" | "update") => readonly WireProblem[];
  readonly accepts?: (entity: Fields) => boolean;
  readonly renamedFilters?: Readonly<Record<string, string>>;
  readonly archivable?: boolean;
  /** Published limits; 0 if a filter does not exist and entities are filtered locally. */
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
