import { decimalsOf, marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import { highestLevel } from "../../../plans/model/finding.ts";
import { type PlanStatus, stateWord } from "../../../plans/store/plan_status.ts";
import type { StoredPlan } from "../../../plans/store/plan_store.ts";
import type { PlanData } from "../../../plans/model/plan_data.ts";
import { spendLimitText } from "../../../plans/view/plan_lines.ts";
import { countsOf } from "../../../plans/view/plan_view.ts";
import type { PlanFolder } from "../http/console_context.ts";

type PlanState =
  | "waiting"
  | "queued"
  | "unfinished"
  | "applied"
  | "failed"
  | "undone"
  | "refused"
  | "unusable";

export type PlanSummary = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly state: PlanState;
};

export function planSummary(stored: StoredPlan, { maker, store }: PlanFolder): PlanSummary {
  const place = { id: stored.id, maker, folder: store.path };
  if ("problem" in stored) return { ...place, state: "unusable", problem: stored.problem.message };
  const { plan, status } = stored;
  return {
    ...place,
    state: stateOf(status),
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    ...marketView(plan.countryCode),
    note: plan.note,
    reverses: plan.reverses,
    counts: countsOf(plan.changes),
    changes: plan.changes.length,
    money: plan.money,
    spend: spendOf(plan),
    highest_finding: highestLevel(plan.findings) ?? null,
    ...(status.state === "open" ? {} : { changed_at: status.at }),
    ...(status.state === "applied" ? { rollback_plan_id: status.rollbackPlanId ?? null } : {}),
  };
}

/** Upper bound of the spend change; `null` without an estimate. */
export function spendOf({ money, countryCode }: Pick<PlanData, "money" | "countryCode">): string | null {
  return money && spendLimitText(money, countryCode);
}

export function stateOf(status: PlanStatus): PlanState {
  switch (status.state) {
    case "open":
      return "waiting";
    case "applied":
      return stateWord(status) === "undone" ? "undone" : status.ok ? "applied" : "failed";
    default:
      return status.state;
  }
}

export function marketView(
  countryCode: string,
): { currency: string | null; decimals: number; time_zone: string } {
  return {
    currency: marketOf(countryCode)?.currency ?? null,
    decimals: decimalsOf(countryCode),
    time_zone: timeZoneOf({ countryCode }),
  };
}
