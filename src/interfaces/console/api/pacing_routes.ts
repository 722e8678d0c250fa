import { decimalsOf } from "../../../base/markets/markets.ts";
import { loadPacing } from "../../../automation/pacing/pacing_file.ts";
import { pacingData } from "../../../automation/pacing/pacing_data.ts";
import { readPacing } from "../../../automation/pacing/read_pacing.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import { type Route, textOf } from "../http/route.ts";
import { hasStore, withState, withStore } from "../http/open_store.ts";

export const PACING_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/pacing",
    about:
      "Compares the spend of each amount of `pacing.yaml` in the folder of the console with its ideal line",
    takes: { profile: "id of the profile" },
    gives:
      "`file`, `decimals`, `amounts` as `adsctl auto show pacing --json` prints them; `amounts` is null without the file or a store",
    run: async ({ context, query, signal }) => {
      const path = context.files.pacing;
      const profile = await context.ads.profile(textOf(query, "profile"));
      const common = { file: path, decimals: decimalsOf(profile.countryCode) };
      if (await readIfThere(path) === undefined || !hasStore(context)) return { ...common, amounts: null };
      const file = await loadPacing(path);
      const now = context.now();
      const seen = await withState(
        () => ScheduleState.open(context.storePlace, { use: "pacing" }),
        (state) => state.spend(profile.profileId),
      );
      const statuses = await withStore(
        context,
        (store) => readPacing(profile, { file, store, now, signal, seen }),
      );
      return { ...common, amounts: statuses.map(pacingData) };
    },
  },
];
