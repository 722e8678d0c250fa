import type { FiguresSource } from "../../plans/review/figures_source.ts";
import type { OpenFigures } from "../../store/figures/figures_from_store.ts";
import type { CliContext } from "./context.ts";
import { lazyImport } from "./lazy_import.ts";
import { storePlace } from "./store_place.ts";

/**
 * Passes figures of the store that the command or the settings name to `step`. The store is loaded and opened by the first request for
 * figures, and stays open until the step is done.
 */
export async function withStoreFigures<T>(
  context: Pick<CliContext, "io" | "globals" | "store">,
  step: (figures: FiguresSource) => Promise<T>,
): Promise<T> {
  let opening: Promise<OpenFigures | undefined> | undefined;
  const open = async (): Promise<OpenFigures | undefined> => {
    const { openFigures } = await lazyImport<typeof import("../../store/figures/figures_from_store.ts")>(
      "../store/figures/figures_from_store",
    );
    return await openFigures(storePlace({ store: context.store }, context));
  };
  try {
    return await step(async (request) => {
      const store = await (opening ??= open());
      // A sync may make the store meanwhile.
      if (store === undefined) opening = undefined;
      return await store?.figures(request) ?? new Map();
    });
  } finally {
    const store = await opening?.catch(() => undefined);
    await store?.close();
  }
}
