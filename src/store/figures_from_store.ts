import { statSync } from "node:fs";
import type { EntityFigures } from "../plans/estimate_money.ts";
import { entityFigures, type FiguresRequest } from "./entity_figures.ts";
import { Warehouse } from "./warehouse.ts";

/**
 * Reads figures of a store that is opened for each request alone, so that nobody who does not ask pays for it. Where
 * there is no store at the place, figures are unknown.
 *
 * @param place Path of an SQLite file, or `postgres://...`.
 */
export function figuresFromStore(
  place: string,
): (request: FiguresRequest) => Promise<ReadonlyMap<string, EntityFigures>> {
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
