import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { holderOf, holderText } from "../../plans/model/experiment.ts";
import type { LeftAlone } from "../schedules/move_amounts.ts";
import { fieldsFor, movableKey } from "../schedules/scheduled_entities.ts";
import { placeOf } from "../../store/warehouse/warehouse.ts";
import { budgetMoves } from "./budget_moves.ts";
import { missingText } from "./pace.ts";
import { keptSpend, NO_CAMPAIGN, type PacingStatus, readPacing } from "./read_pacing.ts";
import { boundsOf, type PacingOptions, schedulesMove } from "./run_pacing.ts";

/** A plan of budgets, with the statuses it is based on. */
export interface PlannedPacing {
  /** The plan; `undefined` if no budget needs to change. */
  readonly plan: ChangePlan | undefined;
  /** Spend compared with each amount, in the order of the file. */
  readonly statuses: readonly PacingStatus[];
  /** Amounts that were not planned or not raised, and why. */
  readonly unjudged: readonly { readonly name: string; readonly why: string }[];
  /** Campaigns left unchanged, and why. */
  readonly kept: readonly Pick<LeftAlone, "label" | "why">[];
}

/**
 * Plans daily budgets for a person to apply, each changed by one step at most. Budgets are lowered where too much is
 * spent, and raised for campaigns that run out of budget and sell best. Nothing is sent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadPacing, planPacing } from "@platform/ads/pacing";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function plan(us: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { plan } = await planPacing(us, { file: await loadPacing("pacing.yaml"), store });
 *   console.log(plan?.toMarkdown() ?? "On pace");
 * }
 * ```
 */
export async function planPacing(
  profile: ProfileClient,
  options: Pick<PacingOptions, "file" | "store" | "state" | "now" | "signal">,
): Promise<PlannedPacing> {
  const { file, store, signal } = options;
  const place = options.state ?? placeOf(store);
  const statuses = await readPacing(profile, { ...options, seen: await keptSpend(place, profile.profileId) });
  const scheduled = await schedulesMove(place, profile.profileId);
  const held = await profile.heldElsewhere();
  const draft = profile.plan();
  const planned = new Set<string>();
  const unjudged: { name: string; why: string }[] = [];
  const kept: { label: string; why: string }[] = [];
  for (const status of statuses) {
    const { budget: { name }, pace, campaigns, notes } = status;
    if (pace === undefined) {
      const why = notes.includes(NO_CAMPAIGN) ? NO_CAMPAIGN : "today is outside of its dates";
      unjudged.push({ name, why });
      continue;
    }
    const raisesWait = pace.missing.length > 0;
    if (raisesWait) unjudged.push({ name, why: missingText(pace) });
    const on = campaigns.filter(({ isOn }) => isOn);
    const moves = budgetMoves(on, boundsOf(status, profile));
    for (const campaign of on) {
      const amount = moves.get(campaign.key);
      if (amount === undefined || planned.has(campaign.key)) continue;
      if (raisesWait && amount > campaign.budget) continue;
      const schedule = scheduled.get(movableKey({ ...campaign, move: "budget" }));
      if (schedule !== undefined) {
        kept.push({ label: campaign.name, why: `the schedule ${schedule} moves its budget` });
        continue;
      }
      const holder = holderOf(held, [campaign.id, profile.profileId]);
      if (holder !== undefined) {
        kept.push({ label: campaign.name, why: holderText(holder) });
        continue;
      }
      planned.add(campaign.key);
      const why = amount > campaign.budget ? "it runs out of budget" : "more is spent than the amount allows";
      draft.update(campaign.kind, {
        campaignId: campaign.id,
        ...fieldsFor(campaign.kind, campaign.fields, new Map([["budget", amount]])),
      }, {
        evidence: {
          reason: `${name}: ${pace.spent} of ${pace.amount} spent, today needs ${pace.neededToday}; ${why}`,
        },
      });
    }
  }
  const plan = planned.size === 0
    ? undefined
    : await draft.build({ note: `Pacing: ${file.budgets.map(({ name }) => name).join(", ")}`, signal });
  return { plan, statuses, unjudged, kept };
}
