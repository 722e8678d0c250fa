import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { budgetLimits } from "../../base/markets/market_limits.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { EntityFields, Evidence } from "../../plans/model/change.ts";
import { evidence } from "../../plans/review/evidence_of.ts";
import { type AmountBounds, type AmountStep, parseStep, steppedAmount } from "./amount_step.ts";
import {
  type BudgetKind,
  type BudgetPressure,
  budgetReport,
  dailyBudget,
  readBudgetPressure,
} from "./budget_pressure.ts";
import { FULL_SHARE } from "../../store/model/full_share.ts";
import { offersDisplay } from "../../client/offers_display.ts";
import { Cooling, type JudgedEntity } from "./cooling.ts";
import { ensureStored, type StoredReports } from "./ensure_stored.ts";
import { checkCount } from "./find_waste.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "./job_result.ts";
import { withoutDenied } from "./without_denied.ts";

/** Options of {@linkcode planBudgets}. */
export interface BudgetsOptions extends JobPlanOptions {
  /** `+20%`, `*1.5`, `+5`, or an amount in the account's currency. @default +20% */
  readonly change?: string | undefined;
  /** Highest daily budget, in the account's currency. @default the highest of the market */
  readonly max?: number | undefined;
  /** Number of days whose costs are checked. @default 14 */
  readonly days?: number | undefined;
  /** Minimum number of days on which almost all of the budget was spent. @default 3 */
  readonly minDays?: number | undefined;
  /** Maximum ACOS of the campaigns: 0.3 for 30 %, Infinity for any. @default Infinity */
  readonly maxAcos?: number | undefined;
  /** Only these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Reason for the plan. @default the days and the change */
  readonly note?: string | undefined;
}

/** A plan of budgets, with the campaign figures behind it. */
export interface BudgetsResult extends JobResult {
  /** Every checked campaign with a daily budget, those with the most full days first. */
  readonly pressure: readonly BudgetPressure[];
}

const KINDS_OF_CAMPAIGNS: readonly BudgetKind[] = ["sp.campaigns", "sb.campaigns", "sd.campaigns"];
const LIMITS = {
  "sp.campaigns": "sp_daily",
  "sb.campaigns": "sb_daily",
  "sd.campaigns": "sd_daily",
} as const;
/** Hour of the day; a budget that is used up earlier counts as spent early. */
const LATE_HOUR = 21.6;

/**
 * Plans higher daily budgets for campaigns that run out early: on several recent days according to the store, or today
 * according to the platform's budget usage. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planBudgets } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function raise(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { plan, pressure } = await planBudgets(ca, { store, change: "+20%", max: 100, maxAcos: 0.3 });
 *   for (const { name, fullDays, usagePercent } of pressure) console.log(name, fullDays, usagePercent);
 *   console.log(plan.toMarkdown());
 * }
 * ```
 * @throws {RangeError} for a change or limit that makes no sense. Nothing was read.
 */
export async function planBudgets(profile: ProfileClient, options: BudgetsOptions): Promise<BudgetsResult> {
  const { store, days = 14, minDays = 3, maxAcos = Infinity, campaignIds, signal } = options;
  const step = parseStep(options.change ?? "+20%");
  checkLimits(options);
  const bounds = Object.fromEntries(
    KINDS_OF_CAMPAIGNS.map((kind) => [kind, boundsOf(profile, kind, options.max)]),
  );
  const end = addDays(options.today ?? profile.reports.today, -1);
  const range = { start: addDays(end, 1 - days), end };

  const byKind = new Map<BudgetKind, EntityFields[]>();
  const hasDisplay = await offersDisplay(profile, { signal });
  for (const kind of KINDS_OF_CAMPAIGNS) {
    if (kind === "sd.campaigns" && !hasDisplay) continue;
    const resource = profile.resource(kind as string);
    const found = await resource.list({ ids: campaignIds, states: ["ENABLED"], signal });
    const daily = found.filter((campaign) => dailyBudget(kind, campaign) !== undefined);
    if (daily.length > 0) byKind.set(kind, daily);
  }
  const reports = [...byKind.keys()].map(budgetReport);
  const figures: StoredReports | undefined = reports.length === 0
    ? undefined
    : await ensureStored(profile, reports, { ...options, days: range });
  const pressure: BudgetPressure[] = [];
  for (const [kind, campaigns] of byKind) {
    pressure.push(...await readBudgetPressure(profile, kind, { campaigns, store, days: range, signal }));
  }
  pressure.sort((a, b) => b.fullDays - a.fullDays || (b.usagePercent ?? 0) - (a.usagePercent ?? 0));

  const today = addDays(end, 1);
  const cooling = await Cooling.read(profile, { ...options, judged: range, today });
  const draft = profile.plan();
  const leftOut: LeftOut[] = [];
  const currency = marketOf(profile.countryCode)?.currency ?? "";
  for (const one of pressure) {
    const { kind, campaignId, name } = one;
    const amounts: JudgedEntity[] = [{ id: campaignId, parts: ["budget", "state"] }];
    const refusal = refusalOf(one, { minDays, maxAcos }) ?? cooling.refusal(amounts);
    const budget = refusal ?? changedBudget(one, { step, bounds: bounds[kind], currency });
    if (typeof budget !== "number") {
      leftOut.push({ ...budget, kind, id: campaignId, label: name, campaignId });
    } else {
      const fields = { campaignId, budget: kind === "sp.campaigns" ? { budget } : budget };
      draft.update(kind as string, fields, { evidence: evidenceOfPressure(one, range) });
    }
  }
  const note = options.note ??
    `Daily budgets ${step.text} where the budget ran out on ${minDays} days or more, ${range.start} to ${range.end}`;
  const judged = { signal, ...judgedBy(options), changes: cooling.changes };
  const whole = await draft.build({ note, ...judged, more: { warnings: cooling.warnings } });
  const { plan, denied } = await withoutDenied(whole, profile, judged);
  leftOut.push(...denied);
  return { plan, considered: pressure.length, leftOut, figures, pressure };
}

function checkLimits({ days = 14, minDays = 3, maxAcos, max }: BudgetsOptions): void {
  checkCount("days", days, 1);
  checkCount("minDays", minDays, 1);
  if (days > 59) {
    throw new RangeError(`Cannot look back ${days} days: the platform keeps Brands reports for 60`);
  }
  if (minDays > days) {
    throw new RangeError(`Cannot find ${minDays} full days among ${days}: minDays is more than days`);
  }
  if (maxAcos !== undefined && !(maxAcos > 0)) {
    throw new RangeError(`Cannot use ${maxAcos} as the highest ACOS: expected a share such as 0.3`);
  }
  if (max !== undefined && !(max > 0)) {
    throw new RangeError(`Cannot use ${max} as the highest budget: expected an amount above 0`);
  }
}

function boundsOf({ countryCode, profile }: ProfileClient, kind: BudgetKind, max?: number): AmountBounds {
  const limits = budgetLimits(countryCode, LIMITS[kind], profile.accountInfo.type);
  const isKnown = limits !== undefined && !limits.doubtful;
  return {
    min: isKnown ? limits.min : 0,
    max: Math.min(max ?? Infinity, isKnown ? limits.max : Infinity),
    decimals: decimalsOf(countryCode),
  };
}

function evidenceOfPressure(
  { cost, acos, fullDays, activeDays, usagePercent, usageHour }: BudgetPressure,
  { start, end }: DayRange,
): Evidence {
  const today = usagePercent === undefined || usageHour === undefined || usagePercent < 100 * FULL_SHARE
    ? ""
    : `, and ${Math.round(usagePercent)} % of today's by ${Math.floor(usageHour)}:00`;
  const reason = `its budget was spent on ${fullDays} of ${activeDays} days${today}`;
  return { ...evidence({ from: start, to: end }, { cost, reason }), ...(acos === undefined ? {} : { acos }) };
}

type Refusal = Pick<LeftOut, "reason" | "message">;

function refusalOf(
  { fullDays, acos, cost, usagePercent = 0, usageHour = 24 }: BudgetPressure,
  { minDays, maxAcos }: { minDays: number; maxAcos: number },
): Refusal | undefined {
  const isOutToday = usagePercent >= 100 * FULL_SHARE && usageHour < LATE_HOUR;
  if (fullDays < minDays && !isOutToday) {
    return { reason: "enough_budget", message: "Its budget lasts" };
  }
  if (maxAcos === Infinity) return undefined;
  if (acos === undefined && cost > 0) {
    return { reason: "no_sales", message: "It had no sales, so that its ACOS is unknown" };
  }
  if (acos !== undefined && acos > maxAcos) {
    return { reason: "acos_too_high", message: `Its ACOS is above ${Math.round(maxAcos * 1000) / 10} %` };
  }
  return undefined;
}

function changedBudget(
  { budget }: BudgetPressure,
  { step, bounds, currency }: { step: AmountStep; bounds: AmountBounds | undefined; currency: string },
): number | Refusal {
  const next = bounds && steppedAmount(budget, step, bounds);
  if (next !== undefined) return next;
  return bounds !== undefined && budget >= bounds.max
    ? { reason: "at_maximum", message: `Its budget is at or above ${bounds.max} ${currency}` }
    : { reason: "same_budget", message: "Its budget stays as it is" };
}
