import type { BidResponse, BidResponseSource } from "../../../../plans/review/bid_response.ts";
import type { FiguresSource } from "../../../../plans/review/figures_source.ts";
import type { OpenFigures } from "../../../../store/figures/figures_from_store.ts";
import type { CliContext } from "../context/context.ts";
import type { ScheduledSource } from "../../../../plans/review/read_last_changes.ts";
import { isStore, storePlace } from "../options/store_option.ts";

export interface StoreFigures {
  readonly figures: FiguresSource;
  readonly responses: BidResponseSource;
  readonly scheduled: ScheduledSource;
}

/** Loads and opens the store on first use; it closes when the command ends. */
export function storeFigures(
  context: Pick<CliContext, "io" | "globals" | "store" | "closing">,
): StoreFigures {
  let opening: Promise<OpenFigures | undefined> | undefined;
  const open = async (): Promise<OpenFigures | undefined> => {
    const place = storePlace({ store: context.store }, context);
    if (!isStore(place)) return undefined;
    const { openFigures } = await import("../../../../store/figures/figures_from_store.ts");
    return await openFigures(place);
  };
  const opened = async (): Promise<OpenFigures | undefined> => {
    const store = await (opening ??= open());
    // A sync may make the store meanwhile.
    if (store === undefined) opening = undefined;
    return store;
  };
  const known = new Map<string, Promise<BidResponse | undefined>>();
  const response: BidResponseSource = async (request) => {
    const store = await opened();
    if (store === undefined) return undefined;
    const { ownResponse } = await import("./own_response.ts");
    return await ownResponse(request, { context, measure: store.response });
  };
  context.closing.later(async () => {
    const store = await opening?.catch(() => undefined);
    await store?.close();
  });
  return {
    figures: async (request) => await (await opened())?.figures(request) ?? new Map(),
    scheduled: async (profileId) => {
      const place = storePlace({ store: context.store }, context);
      if (!isStore(place)) return new Set();
      const { scheduledIn } = await import("../../../../automation/schedules/scheduled_ids.ts");
      return await scheduledIn(place)(profileId);
    },
    responses: async (request) => {
      const before = known.get(request.profileId) ?? response(request);
      known.set(request.profileId, before);
      return await before;
    },
  };
}
