import { statSync } from "node:fs";
import type { FiguresSource } from "../../plans/review/figures_source.ts";
import { entityFigures } from "./entity_figures.ts";
import { Warehouse } from "../warehouse.ts";

/**
 * Reads figures of a store that is opened for each request alone, so that nobody who does not ask pays for it. Where
 * there is no store at the place, figures are unknown.
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
    const isFile = !/^[a-z][a-z+]+:\/\//i.test(place);
    if (isFile && statSync(place, { throwIfNoEntry: false }) === undefined) return new Map();
    const store = await Warehouse.open(place);
    try {
      return await entityFigures(store, request);
    } finally {
      await store.close();
    }
  };
}
