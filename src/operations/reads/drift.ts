import { type AccountDrift, accountDrift, checkIgnored } from "../../account/diff/account_drift.ts";
import type { DriftEntry } from "../../account/diff/drift_entry.ts";
import type { AccountFiles } from "../../account/files/account_files.ts";
import { readMoment } from "../../base/time/moment.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

/** Sources besides the platform's history. */
export interface DriftContext extends ReadContext {
  readonly plans: readonly PlanStore[];
  readonly files?: AccountFiles | undefined;
  readonly store?: Warehouse | undefined;
}

const BASES = ["pull", "plan"] as const;

export const drift = defineOperation<DriftContext, AccountDrift>()({
  name: "account drift",
  isForPeople: true,
  effect: "read",
  title: "Look for drift",
  summary: "Show changes since the last pull or plan, and which your plans made",
  details:
    "Matches each change in the history with your plans, and shows the plan and its note. All other changes " +
    "come from the console, another tool or the platform. --state also finds fields that the history does not " +
    "report, by comparing the account with its files. Platform rules written by schedules are compared with " +
    "the last written values. Sends nothing. Exit code 0 if your plans made every change, otherwise 6.",
  brief: "Changes in the account, and which plan made each.",
  examples: [{ input: { since: "-1" }, about: "show changes of the last 24 hours and their source" }],
  library: 'await accountDrift(profile, { since, plans: [PlanStore.open("plans")] })',
  input: {
    since: {
      type: "moment",
      orWords: BASES,
      help:
        "-N days or -Nh hours ago, a day, a time, pull (the last pull of --state) or plan (the last applied plan)",
      otherwise: "the pull, else the plan",
    },
    ignore: { type: "words", help: "kinds and fields to ignore: product-ads,keywords.bid" },
  },
  check: ({ ignore = [] }) => checkIgnored(ignore),
  run({ profile, ...sources }, { since, ignore }) {
    const days = { now: profile.transport.now(), timeZone: profile.timeZone };
    const start = BASES.find((base) => base === since) ??
      (since === undefined ? undefined : readMoment(since, "since", days));
    return accountDrift(profile, { since: start, ignore, ...sources });
  },
});

/** A change, the plan that made it, and the experiment that it spoils. */
export function driftRow({ plan, heldBy, ...entry }: DriftEntry) {
  return {
    ...entry,
    campaign: entry.campaign ?? null,
    note: plan?.note ?? null,
    plan_id: plan?.planId ?? null,
    approved_by: plan?.approvedBy ?? null,
    held_by: heldBy === undefined ? null : { plan_id: heldBy.planId, until: heldBy.until },
  };
}
