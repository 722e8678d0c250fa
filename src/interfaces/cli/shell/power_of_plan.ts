import type { DrawnProfiles } from "../../../account/rollout/rollout_experiment.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { CliContext } from "./context/context.ts";
import { isStore, storePlace } from "./options/store_option.ts";
import { type Note, say, sayNotes } from "./output/write_text.ts";
import { wantsData } from "./output/wants_data.ts";

export async function powerOf(
  plan: ChangePlan,
  store: Pick<Warehouse, "query" | "coverage">,
  context: CliContext,
  profiles?: DrawnProfiles,
): Promise<Note[]> {
  if (plan.experiment === null) return [];
  const { powerText } = await import("../../../operations/reads/plan_power.ts");
  const lines = await powerText({ plan, store, profiles, now: context.io.now() });
  // The chance, and the weeks that it takes; how they were found is a detail.
  return lines.map((line, at) => at < 2 ? line : { detail: line });
}

export async function sayPower(plan: ChangePlan, context: CliContext): Promise<void> {
  if (plan.experiment === null || wantsData(context)) return;
  if (!isStore(storePlace({}, context))) {
    await say('Once days are stored, "adsctl plan power" estimates the chance of finding an effect', context);
    return;
  }
  const { openStore } = await import("./connect/open_store.ts");
  const store = await openStore({}, context);
  await sayNotes(await powerOf(plan, store, context), context);
}
