import { decimalsOf, marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import type { ListedPlan, UsablePlan } from "../../../operations/reads/plan_list.ts";
import { highestLevel } from "../../../plans/model/finding.ts";
import { type PlanStatus, stateWord } from "../../../plans/store/plan_status.ts";
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
  readonly next?: UsablePlan["next"];
};

export function planSummary(one: ListedPlan, { maker }: Pick<PlanFolder, "maker">): PlanSummary {
  const place = { id: one.id, maker, folder: one.folder };
  if (one.state === "unusable") return { ...place, state: one.state, problem: one.problem };
  const { plan, status } = one;
  return {
    ...place,
    state: stateOf(status),
    next: one.next,
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
    ...(status.state === "applied" ? { rollback_plan_id: one.undoPlan } : {}),
  };
}

/** Upper bound of the spend change; `null` without an estimate. */
export function spendOf({ money, countryCode }: Pick<PlanData, "money" | "countryCode">): string | null {
  return money && spendLimitText(money, countryCode);
}

/** State in the words of the pages: an open plan is waiting, and one applied in part has failed. */
export function stateOf(status: PlanStatus): PlanState {
  const word = stateWord(status);
  if (word === "open") return "waiting";
  return word === "applied" && status.state === "applied" && !status.ok ? "failed" : word;
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
