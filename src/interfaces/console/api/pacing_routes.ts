import { decimalsOf } from "../../../base/markets/markets.ts";
import { pacingData } from "../../../automation/pacing/pacing_data.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { showPacing } from "../../../operations/automation/pacing.ts";
import { type Route, textOf } from "../http/route.ts";
import { hasStore, withStore } from "../http/open_store.ts";

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
      const { files: { pacing: source }, storePlace: place } = context;
      const profile = await context.ads.profile(textOf(query, "profile"));
      const common = { file: source, decimals: decimalsOf(profile.countryCode) };
      const text = await readIfThere(source);
      if (text === undefined || !hasStore(context)) return { ...common, amounts: null };
      const now = context.now();
      const statuses = await withStore(
        context,
        (store) => showPacing.run({ profile, store, place, now, signal }, { pacing: { text, source } }),
      );
      return { ...common, amounts: statuses.map(pacingData) };
    },
  },
];
