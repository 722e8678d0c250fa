import { isAddress } from "../../base/text/is_address.ts";
import { statSync } from "node:fs";
import type { FiguresSource } from "../../plans/review/figures_source.ts";
import { bidResponse, type BidResponseRequest, type MeasuredResponse } from "./bid_response.ts";
import { entityFigures } from "./entity_figures.ts";
import { Warehouse } from "../warehouse/warehouse.ts";

/**
 * Reads figures from a store that is opened only during each request, so it costs nothing when unused. Without a store
 * at the place, figures are unknown.
 *
 * @param place Path of an SQLite file, or `postgres://...`.
 *
 * @example
 * ```ts
 * import { type Credentials, type Platform, PlatformAds } from "@platform/ads";
 * import { figuresFromStore } from "@platform/ads/store";
 *
 * function weighing(credentials: Credentials, platform: Platform): PlatformAds {
 *   // Plans say what they may cost a day by the clicks of the store.
 *   return new PlatformAds(credentials, { platform, figures: figuresFromStore("ads.sqlite") });
 * }
 * ```
 */
export function figuresFromStore(place: string): FiguresSource {
  return async (request) => {
    const store = await openFigures(place);
    try {
      return await store?.figures(request) ?? new Map();
    } finally {
      await store?.close();
    }
  };
}

export interface OpenFigures {
  readonly figures: FiguresSource;
  readonly response: (request: BidResponseRequest) => Promise<MeasuredResponse>;
  readonly close: () => Promise<void>;
}

export async function openFigures(place: string): Promise<OpenFigures | undefined> {
  const isFile = !isAddress(place);
  if (isFile && statSync(place, { throwIfNoEntry: false }) === undefined) return undefined;
  const store = await Warehouse.open(place);
  return {
    figures: (request) => entityFigures(store, request),
    response: (request) => bidResponse(store, request),
    close: () => store.close(),
  };
}
