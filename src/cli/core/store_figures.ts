import type { FiguresSource } from "../../plans/review/figures_source.ts";
import type { CliContext } from "./context.ts";
import { lazyImport } from "./lazy_import.ts";
import { storePlace } from "./store_place.ts";

/** Figures of the store that the settings mean; the store is loaded by the first question. */
export function storeFigures(context: Pick<CliContext, "io" | "globals">): FiguresSource {
  return async (request) => {
    const { figuresFromStore } = await lazyImport<typeof import("../../store/figures/figures_from_store.ts")>(
      "../store/figures/figures_from_store",
    );
    return await figuresFromStore(storePlace({}, context))(request);
  };
}
