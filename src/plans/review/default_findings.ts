import { changeSubject } from "../model/change_subject.ts";
import type { EntityFields } from "../model/change.ts";
import type { Finding } from "../model/finding.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { currencyDecimals } from "../../base/markets/markets.ts";
import { bidFactorRise, budgetAmount, comparedAmount, inheritsBid, readAmount } from "../state/amounts.ts";
import { isEnabled, type Moved, type Step } from "../state/plan_state.ts";
import { type AccountScale, isCampaignKind, known, Unread } from "../model/prior_state.ts";

const MAX_RAISE = 3;
const MAX_MEDIANS = 10;
const MAX_STOPPED = 0.3;
const MAX_BUDGETS = 2;

/** Codes of the warnings that need no policy; they are recomputed each time a plan is judged. */
export const DEFAULT_CODES: ReadonlySet<string> = new Set([
  "AMOUNT_TRIPLED",
  "AMOUNT_FAR_ABOVE_MEDIAN",
  "PLACEMENTS_TRIPLED",
  "MANY_CAMPAIGNS_STOPPED",
  "BUDGETS_DOUBLED",
  "CAP_RAISED",
  "CALL_NOT_JUDGED",
  "HELD_BACK_ELSEWHERE",
]);

interface DefaultFindingsContext {
  readonly scale: AccountScale;
  readonly currency: string;
}

/**
 * Warnings on single changes that require a person even without a policy: a bid, a budget or placements more than
 * tripled, an amount above ten times the median of its kind, or a portfolio cap raised, removed or left.
 */
export function changeFindings(steps: readonly Step[], context: DefaultFindingsContext): Finding[] {
  return steps.flatMap((step) => changeFinding(step, context) ?? []);
}

function changeFinding(
  step: Step,
  { scale: { medians }, currency: ofAccount }: DefaultFindingsContext,
): Finding | undefined {
  const { at, change, op, market } = step;
  const currency = market?.currency ?? ofAccount;
  if (op === "call") return callFinding(step);
  if (op === "archive") return undefined;
  const subject = changeSubject(change);
  const was = known(step.before) ?? step.replaces;
  const rise = isCampaignKind(change.kind) && was !== undefined ? bidFactorRise(was, step.after) : 1;
  if (rise > MAX_RAISE) {
    return {
      code: "PLACEMENTS_TRIPLED",
      level: "approve",
      change: at,
      message: `${subject}: placements and strategy let a click cost ${
        rise.toFixed(1)
      } times its current maximum`,
      allowed: `up to ${MAX_RAISE} times without a person's approval`,
    };
  }
  const cap = capRaise(step);
  if (cap !== undefined) {
    return {
      code: "CAP_RAISED",
      level: "approve",
      change: at,
      message: `${subject}: ${cap} ${currency}`.trim(),
      hint: "Campaigns may then spend up to their own budgets",
    };
  }
  const after = holdingAmount(step, step.after, "after");
  const before = was && holdingAmount(step, was, "before");
  if (after === undefined || after === before) return undefined;
  if (before !== undefined && before > 0 && after > before * MAX_RAISE) {
    const times = (after / before).toFixed(1);
    return {
      code: "AMOUNT_TRIPLED",
      level: "approve",
      change: at,
      message: `${subject}: ${after} ${currency} is ${times} times the current ${before} ${currency}`,
      allowed: `up to ${MAX_RAISE} times without a person's approval`,
    };
  }
  const median = market?.isForeign ? undefined : medians.get(change.kind);
  if (median === undefined || after <= median * MAX_MEDIANS) return undefined;
  return {
    code: "AMOUNT_FAR_ABOVE_MEDIAN",
    level: "approve",
    change: at,
    message:
      `${subject}: ${after} ${currency} is ${(after / median).toFixed(1)} times the median of its kind, ` +
      `${median} ${currency}`,
    allowed: `up to ${MAX_MEDIANS} times without a person's approval`,
  };
}

function capRaise({ change: { kind }, op, before, after, cap }: Step): string | undefined {
  if (op !== "update") return undefined;
  if (kind !== "portfolios") return cap === undefined ? undefined : riseText(cap.before, cap.after);
  if (before instanceof Unread) return undefined;
  const [was, is] = [before, after].map((fields) => readAmount(budgetAmount(kind, fields)));
  const [policyWas, policyIs] = [before, after].map((fields) => fieldsOf(fields?.["budget"])["policy"]);
  const text = riseText(was, is);
  if (text !== undefined || was === undefined || policyWas === policyIs) return text;
  return `the cap period changes from ${policyWas ?? "none"} to ${
    policyIs ?? "none"
  }; the cap stays at ${was}`;
}

function riseText(was: Moved["before"], is: Moved["after"]): string | undefined {
  if (was instanceof Unread || is instanceof Unread) return undefined;
  if (was === undefined) return undefined;
  if (is === undefined) return `a portfolio cap is removed: ${was}`;
  return is > was || Number.isNaN(is) ? `a portfolio cap rises from ${was} to ${is}` : undefined;
}

function holdingAmount(
  { change: { kind }, bid }: Step,
  fields: EntityFields,
  when: "before" | "after",
): number | undefined {
  const own = comparedAmount(kind, fields);
  if (own !== undefined || !inheritsBid(kind)) return own;
  const inherited = bid[when];
  return inherited instanceof Unread ? undefined : inherited;
}

function callFinding({ at, change: { label } }: Step): Finding {
  return {
    code: "CALL_NOT_JUDGED",
    level: "approve",
    change: at,
    message: `The effect of ${label} on spend is unknown`,
    hint: "Review the request",
  };
}

/**
 * Warnings on a plan as a whole: more than 30 % of live campaigns stopped, or daily budgets more than doubled in total.
 */
export function planFindings(
  steps: readonly Step[],
  { scale: { liveCampaigns, dailyBudgets }, currency }: DefaultFindingsContext,
): Finding[] {
  let stopped = 0;
  let budgets = dailyBudgets;
  for (const { change, op, before, after, market } of steps) {
    // Those of other currencies are not among the campaigns of the profile.
    if (!isCampaignKind(change.kind) || market?.isForeign) continue;
    const now = known(before);
    const was = now !== undefined && isEnabled(now);
    const is = op !== "archive" && isEnabled(after);
    if (was && !is) stopped += 1;
    budgets += (is ? comparedAmount(change.kind, after) ?? 0 : 0) -
      (was ? comparedAmount(change.kind, now) ?? 0 : 0);
  }
  const findings: Finding[] = [];
  if (liveCampaigns > 0 && stopped > liveCampaigns * MAX_STOPPED) {
    findings.push({
      code: "MANY_CAMPAIGNS_STOPPED",
      level: "approve",
      message: `This stops ${stopped} of ${liveCampaigns} live campaigns`,
      allowed: `up to ${MAX_STOPPED * 100} % without a person's approval`,
    });
  }
  if (dailyBudgets > 0 && budgets > dailyBudgets * MAX_BUDGETS) {
    const decimals = currencyDecimals(currency);
    findings.push({
      code: "BUDGETS_DOUBLED",
      level: "approve",
      message: `The sum of all daily budgets rises from ${dailyBudgets.toFixed(decimals)} to ${
        budgets.toFixed(decimals)
      } ${currency}`,
      allowed: `up to ${MAX_BUDGETS} times without a person's approval`,
    });
  }
  return findings;
}
