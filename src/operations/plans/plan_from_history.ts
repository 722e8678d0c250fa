import type { AppliedPlanSource } from "../../account/diff/plan_record.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { CHANGES_FIELD, HISTORY_FIELDS, momentsIn } from "../model/history_fields.ts";
import { defineOperation } from "../model/operation.ts";
import { type AllowedPlan, allowedPlan, DENIED_FIELD, NOTE_FIELD } from "./write_operation.ts";

export interface RestoreContext {
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
  /** Distinguishes own changes from those of others. */
  readonly plans: () => Promise<readonly (PlanStore | AppliedPlanSource)[]>;
}

export const planFromHistory = defineOperation<RestoreContext, AllowedPlan>()({
  name: "plan from-history",
  effect: "plan",
  tool: "plan_restore_from_history",
  title: "Plan restoring from history",
  summary: "Plan to restore values from before a given time",
  details:
    "Restores every bid, state, budget, name, date, portfolio and placement changed since then, by anyone and " +
    "with any tool, to the value before the first change. Pauses entities created since. Warnings list what " +
    "cannot be restored. The platform keeps 90 days of history.",
  brief:
    "Plans to restore values from before a given time: bids, states, budgets, names, dates; pauses entities " +
    "created since. Sends nothing. Warnings list what cannot be restored.",
  examples: [
    { input: { since: "-1" }, about: "undo the last 24 hours" },
    {
      input: { since: "-3h", campaign_ids: ["123"] },
      about: "restore one campaign, the last three hours",
    },
    { input: { since: "-1", made_by: "others" }, about: "keep changes made by your plans" },
  ],
  library: 'await profile.history.rollbackPlan("2026-11-20T08:00:00Z", { campaignIds: ["123"] })',
  input: {
    since: {
      type: "moment",
      required: "option",
      help: "days ago (-1), hours ago (-3h), a date or a time",
      brief: "2026-11-20 or last week (days of the account), -7, or ISO time",
    },
    ...HISTORY_FIELDS,
    until: {
      type: "moment",
      edge: "end",
      help: "restore only changes up to this time; later changes are kept",
    },
    changes: { ...CHANGES_FIELD, brief: "As in get_change_history; default all" },
    made_by: {
      type: "choice",
      choices: ["plans", "others"],
      help: "only changes by applied plans, or only other changes",
      brief: "plans: only changes by applied plans",
    },
    created: {
      type: "choice",
      choices: ["pause", "archive", "keep"],
      value: "what",
      help: "what to do with entities created since then",
      otherwise: "pause",
      brief: "archive is permanent",
    },
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  check({ since }, { field }) {
    if (since !== undefined) return;
    throw new RangeError(`Cannot plan without ${field("since")}: choose a time to go back to`);
  },
  async run({ profile, signal, plans }, input) {
    const { since, until } = momentsIn(profile, input);
    const { made_by: by } = input;
    const plan = await profile.history.rollbackPlan(since, {
      until,
      created: input.created,
      entityTypes: input.entity_types,
      campaignIds: input.campaign_ids,
      changes: input.changes,
      only: by === undefined ? undefined : await madeBy(by, { profile, plans }),
      note: input.note,
      signal,
    });
    return await allowedPlan(plan, { profile, signal }, input);
  },
});

async function madeBy(
  by: "plans" | "others",
  { profile, plans }: Pick<RestoreContext, "profile" | "plans">,
) {
  const { PlanRecord } = await import("../../account/diff/plan_record.ts");
  const ours = await PlanRecord.read(await plans(), profile.profileId);
  return (event: Parameters<typeof ours.planOf>[0]): boolean =>
    (ours.planOf(event) !== undefined) === (by === "plans");
}
