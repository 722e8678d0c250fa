import { PORTFOLIO_ENTITIES, PORTFOLIO_HEADERS } from "./portfolios.ts";
import type { SheetAdjustment, SheetEntity } from "./sheet_entity.ts";
import { SB_ADJUSTMENT, SB_ENTITIES, SB_HEADERS } from "./sponsored_brands.ts";
import { SD_ENTITIES, SD_HEADERS } from "./sponsored_display.ts";
import { SP_ADJUSTMENT, SP_ENTITIES, SP_HEADERS } from "./sponsored_products.ts";

/** Words of the platform's bulk format for one product. */
export interface SheetProduct {
  /** Name of the tab, and the word in the column Product. */
  readonly name: string;
  /** Heads of the columns, in the platform's order. */
  readonly headers: readonly string[];
  /** Rows, parents before children. */
  readonly entities: readonly SheetEntity[];
  /** Premiums of campaigns by placement. */
  readonly adjustment?: SheetAdjustment;
}

/** The products of a bulk file, in the order of its tabs. */
export const SHEET_PRODUCTS: readonly SheetProduct[] = [
  { name: "Portfolios", headers: PORTFOLIO_HEADERS, entities: PORTFOLIO_ENTITIES },
  { name: "Sponsored Products", headers: SP_HEADERS, entities: SP_ENTITIES, adjustment: SP_ADJUSTMENT },
  { name: "Sponsored Brands", headers: SB_HEADERS, entities: SB_ENTITIES, adjustment: SB_ADJUSTMENT },
  { name: "Sponsored Display", headers: SD_HEADERS, entities: SD_ENTITIES },
];

/** A head of a column without case and spaces: the two generations of bulk files write them differently. */
export function headerKey(header: string): string {
  return header.trim().toLowerCase().replace(/\s+/g, " ");
}
