import { counted } from "../../base/text/money_text.ts";
import { idKey, idOf } from "../../base/json/id_of.ts";
import type { BudgetKind } from "../../account/jobs/budget_pressure.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { addDays, type Day, dayIn, type DayRange, eachDay } from "../../base/time/calendar.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { budgetLimitsOf, MAX_DAY_SPEND } from "../../base/markets/market_limits.ts";
import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { dailyBudget } from "../../plans/state/amounts.ts";
import { isSelected } from "../../plans/policy/campaign_select.ts";
import { ScheduleState, type SeenSpend } from "../schedules/schedule_state.ts";
import { FULL_SHARE } from "../../store/model/full_share.ts";
import { placeOf, type Warehouse } from "../../store/warehouse/warehouse.ts";
import { missingDays } from "../../account/jobs/ensure_stored.ts";
import type { PacedCampaign } from "./budget_moves.ts";
import {
  EVEN_WEEK,
  IMMATURE_DAYS,
  learnWeekdays,
  type Pace,
  paceOf,
  periodOf,
  type SpendDay,
  weekdayOf,
  type WeekdayWeights,
} from "./pace.ts";
import type { PacedBudget, PacingFile } from "./pacing_file.ts";
import { type SpendNow, spendNow } from "./seen_spend.ts";

/** A campaign that shares a paced amount, with its figures. */
export interface CampaignOfBudget extends PacedCampaign {
  /** `sp.campaigns`, `sb.campaigns` or `sd.campaigns`. */
  readonly kind: BudgetKind;
  /** Id of the campaign, digits as text. */
  readonly id: string;
  /** Current name in the account. */
  readonly name: string;
  /** True while the campaign is enabled. */
  readonly isOn: boolean;
  /** Fields of the campaign as the platform returned them. */
  readonly fields: EntityFields;
  /**
   * Number of days in the last week on which it spent more than its daily budget, which the platform allows within a
   * month.
   */
  readonly daysOverBudget: number;
}

/** Spend compared with a paced amount, and the campaigns that share the amount. */
export interface PacingStatus {
  /** The amount, as in the file. */
  readonly budget: PacedBudget;
  /** ISO 4217 code of all amounts. */
  readonly currency: string;
  /** Spend compared with the amount; `undefined` outside its dates or without campaigns. */
  readonly pace: Pace | undefined;
  /** Weekday weights that were used. */
  readonly weights: WeekdayWeights;
  /** Description of where the weekday weights come from. */
  readonly weightsFrom: string;
  /** Campaigns of the amount that have a daily budget. */
  readonly campaigns: readonly CampaignOfBudget[];
  /** Remarks: unknown spend of today, campaigns without a daily budget, days over budget. */
  readonly notes: readonly string[];
}

/** Amounts, and the figures to compare them with. */
export interface PacingSources {
  /** Amounts and channels. */
  readonly file: Pick<PacingFile, "budgets" | "source">;
  /** Store of figures; only its campaign reports are read. */
  readonly store: Pick<Warehouse, "query" | "coverage" | "location">;
  /** Spend observed during each day, by day and campaign id. @default the spend that `runPacing` stored */
  readonly seen?: SeenSpend | undefined;
  /** Current time in milliseconds since the epoch. @default the time of the client */
  readonly now?: number | undefined;
  /** Aborts reading the account and sending requests; the request in flight is completed. */
  readonly signal?: AbortSignal | undefined;
}

const PRODUCTS = ["sp", "sb", "sd"] as const;
export const NO_CAMPAIGN = "It selects no campaign";
const STATES = ["ENABLED", "PAUSED", "ARCHIVED"];
const LEARNED_WEEKS = 8;
const RECENT_DAYS = 14;

interface StoredDay {
  readonly id: string;
  readonly day: Day;
  readonly cost: number;
  readonly sales: number;
  readonly budget: number | null;
}

/**
 * Reads the spend for each amount in a file: stored days up to yesterday, today's spend as reported by the platform,
 * and the current campaigns. Nothing is changed.
 *
 * @throws {ConfigurationError} where an amount is in another currency than the profile, or no amount selects a campaign.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadPacing, readPacing } from "@platform/ads/pacing";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function show(us: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   for (const { budget, pace } of await readPacing(us, { file: await loadPacing("pacing.yaml"), store })) {
 *     console.log(budget.name, pace?.spent, pace?.forecast);
 *   }
 * }
 * ```
 */
export async function readPacing(profile: ProfileClient, sources: PacingSources): Promise<PacingStatus[]> {
  const before = sources.seen ?? await keptSpend(placeOf(sources.store), profile.profileId);
  return (await readSpend(profile, { ...sources, seen: before })).statuses;
}

export async function keptSpend(place: string, profileId: string): Promise<SeenSpend> {
  const state = await ScheduleState.open(place, { use: "pacing" });
  try {
    return await state.spend(profileId);
  } finally {
    await state.close();
  }
}

export async function readSpend(
  profile: ProfileClient,
  sources: PacingSources & { readonly seen: SeenSpend },
): Promise<{ readonly statuses: PacingStatus[]; readonly seen: SeenSpend }> {
  const { file, store, now = profile.transport.now(), signal } = sources;
  const today = dayIn(profile.timeZone, now);
  const currency = profile.profile.currencyCode ?? marketOf(profile.countryCode)?.currency ?? "";
  for (const { name, currency: wanted } of file.budgets) {
    if (wanted === undefined || wanted === currency) continue;
    throw new ConfigurationError(
      `Cannot pace ${name} of ${file.source}: its amount is in ${wanted}, and the profile pays in ${currency}`,
    );
  }
  const account = await readAccount(profile, file, signal);
  const periods = file.budgets.map((budget) => periodOf(budget, today));
  const first = periods.reduce(
    (day, period) => period !== undefined && period.start < day ? period.start : day,
    addDays(today, -RECENT_DAYS),
  );
  const range = { start: addDays(first, -7 * LEARNED_WEEKS), end: addDays(today, -1) };
  const days = await storedDays(store, { profileId: profile.profileId, range });
  const gaps = await daysMissing(store, { profile, campaigns: account.campaigns, range });
  const spend = await spendNow(profile, account.campaigns, { before: sources.seen, today, signal });
  const selected = file.budgets.map((budget) =>
    account.campaigns.filter((one) => belongs(one, budget, account.portfolios))
  );
  // One amount without campaigns, such as an event that is over, leaves the others in force.
  if (selected.every(({ length }) => length === 0)) {
    throw new ConfigurationError(
      `Cannot pace ${file.budgets[0]?.name} of ${file.source}: it selects no campaign`,
    );
  }
  const statuses = file.budgets.map((budget, at) => {
    const parts = { budget, period: periods[at], own: selected[at]!, days, gaps, spend, today, currency };
    return statusOf(parts, { sharing: account.sharing, profile });
  });
  return { statuses, seen: spend.seen };
}

interface AccountCampaign {
  readonly kind: BudgetKind;
  readonly id: string;
  readonly fields: EntityFields;
}

interface AccountNow {
  readonly campaigns: readonly AccountCampaign[];
  readonly portfolios: ReadonlyMap<string, string>;
  readonly sharing: ReadonlySet<string>;
}

async function readAccount(
  profile: ProfileClient,
  { budgets }: Pick<PacingFile, "budgets">,
  signal: AbortSignal | undefined,
): Promise<AccountNow> {
  const products = new Set(budgets.flatMap(({ select }) => select?.products ?? PRODUCTS));
  const campaigns: AccountCampaign[] = [];
  for (const product of PRODUCTS) {
    if (!products.has(product) || (product === "sd" && !hasDisplay(profile))) continue;
    const kind: BudgetKind = `${product}.campaigns`;
    // An archived campaign spends nothing more, and what it spent in the period counts.
    for await (const fields of profile.resource(kind).iter({ states: STATES, signal })) {
      const id = idOf(fields, "campaignId");
      if (id !== undefined) campaigns.push({ kind, id, fields });
    }
  }
  const portfolios = new Map<string, string>();
  const sharing = new Set<string>();
  for await (const { portfolioId, name, budgetControls } of profile.portfolios.iter({ signal })) {
    portfolios.set(portfolioId, name);
    const { featureState } = fieldsOf(fieldsOf(budgetControls)["campaignUnspentBudgetSharing"]);
    if (featureState === "ENABLED") sharing.add(portfolioId);
  }
  return { campaigns, portfolios, sharing };
}

function hasDisplay({ profile }: ProfileClient): boolean {
  return fieldsOf(profile.accountInfo)["subType"] !== "KDP_AUTHOR";
}

function belongs(
  { kind, fields }: AccountCampaign,
  { select }: PacedBudget,
  portfolios: ReadonlyMap<string, string>,
): boolean {
  const { products = PRODUCTS, ...rest } = select ?? {};
  if (!products.some((product) => kind === `${product}.campaigns`)) return false;
  return isSelected(fields, kind, { select: rest }, portfolios);
}

async function storedDays(
  store: PacingSources["store"],
  { profileId, range }: { readonly profileId: string; readonly range: DayRange },
): Promise<StoredDay[]> {
  const { rows } = await store.query(
    `SELECT campaign_id AS id, date AS day, sum(cost) AS cost, sum(sales) AS sales, max(budget) AS budget
    FROM budget_pressure WHERE profile_id = '${profileId}' AND date BETWEEN '${range.start}' AND '${range.end}'
    GROUP BY campaign_id, date`,
    [],
    { maxRows: 5_000_000 },
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    day: String(row["day"]).slice(0, 10),
    cost: Number(row["cost"] ?? 0),
    sales: Number(row["sales"] ?? 0),
    budget: row["budget"] === null ? null : Number(row["budget"]),
  }));
}

async function daysMissing(
  store: PacingSources["store"],
  { profile, campaigns, range }: {
    readonly profile: ProfileClient;
    readonly campaigns: readonly AccountCampaign[];
    readonly range: DayRange;
  },
): Promise<ReadonlyMap<BudgetKind, ReadonlySet<Day>>> {
  const kinds = [...new Set(campaigns.map(({ kind }) => kind))];
  const { profileId } = profile;
  return new Map(
    await Promise.all(kinds.map(async (kind) => {
      const report = `${kind.slice(0, 2)}_campaigns` as "sp_campaigns";
      const missing = await missingDays(store, { profileId, reports: [report], days: range });
      let days = new Set(missing.flatMap((one) => [...eachDay(one)]));
      if (kind === "sp.campaigns" && days.size > 0) {
        // The report on placements stands in for days without one on campaigns.
        const others = await missingDays(store, { profileId, reports: ["sp_placement"], days: range });
        days = days.intersection(new Set(others.flatMap((one) => [...eachDay(one)])));
      }
      return [kind, days] as const;
    })),
  );
}

interface StatusParts {
  readonly budget: PacedBudget;
  readonly period: DayRange | undefined;
  readonly own: readonly AccountCampaign[];
  readonly days: readonly StoredDay[];
  readonly gaps: ReadonlyMap<BudgetKind, ReadonlySet<Day>>;
  readonly spend: SpendNow;
  readonly today: Day;
  readonly currency: string;
}

function statusOf(
  { budget, period, own, days, gaps, spend: { seen, reported }, today, currency }: StatusParts,
  { sharing, profile }: { readonly sharing: ReadonlySet<string>; readonly profile: ProfileClient },
): PacingStatus {
  const ids = new Set(own.map(({ id }) => id));
  const kinds = new Set(own.map(({ kind }) => kind));
  const missing = new Set([...kinds].flatMap((kind) => [...gaps.get(kind) ?? []]));
  const mine = days.filter(({ id }) => ids.has(id));
  const byDay = Map.groupBy(mine, ({ day }) => day);
  const start = period?.start ?? today;
  const earliest = mine.reduce((first, { day }) => day < first ? day : first, start);
  const young = addDays(today, -IMMATURE_DAYS);
  const spend: SpendDay[] = [...eachDay({ start: earliest, end: addDays(today, -1) })].map((day) => {
    const stored = new Map((byDay.get(day) ?? []).map(({ id, cost }) => [id, cost]));
    const live = seen.get(day);
    const costs = own.map(({ kind, id }) => {
      const cost = stored.get(id) ?? 0;
      // The report of a young day may lack spend that was seen while the day ran.
      return day >= young || gaps.get(kind)?.has(day) ? Math.max(cost, live?.get(id) ?? 0) : cost;
    });
    return {
      day,
      cost: costs.reduce((sum, cost) => sum + cost, 0),
      ...(missing.has(day) ? { isPartial: true } : {}),
    };
  });
  const { weights, weightsFrom } = weightsOf(budget, spend, period?.start ?? today);
  const campaigns = campaignsOf(own, { mine, weights, today, missing, sharing, profile });
  const unknown = own.filter(({ id, fields }) => isOn(fields) && !reported.has(id)).length;
  const spentToday = own.reduce((sum, { id }) => sum + (seen.get(today)?.get(id) ?? 0), 0);
  const on = campaigns.filter((one) => one.isOn);
  const lifetime = own.filter(({ fields }) => isOn(fields) && dailyBudget(fields) === undefined).length;
  const bursts = campaigns.filter(({ daysOverBudget }) => daysOverBudget > 0);
  const notes = [
    ...(own.length === 0 ? [NO_CAMPAIGN] : []),
    ...(unknown > 0 ? [`Today's spend is unknown for ${counted(unknown, "campaign")}`] : []),
    ...(lifetime > 0
      ? [`${counted(lifetime, "campaign")} without a daily budget are counted but not changed`]
      : []),
    ...(bursts.length > 0
      ? [
        `${
          counted(bursts.length, "campaign")
        } spent more than the daily budget on some days of the last two weeks; ` +
        "the platform may exceed it by up to 100 % on a day, but not over the month",
      ]
      : []),
  ];
  const pace = period === undefined || own.length === 0 ? undefined : paceOf({
    amount: budget.amount,
    period,
    today,
    days: spend,
    spentToday: Number(spentToday.toFixed(decimalsOf(profile.countryCode))),
    weights,
    // With budgets over a lifetime among them, no daily sum is a limit.
    dailyBudgets: lifetime > 0 ? undefined : on.reduce((sum, one) => sum + one.budget, 0),
  });
  return { budget, currency, pace, weights, weightsFrom, campaigns, notes };
}

function weightsOf(
  { weekdays = "learned" }: PacedBudget,
  spend: readonly SpendDay[],
  start: Day,
): { readonly weights: WeekdayWeights; readonly weightsFrom: string } {
  if (weekdays !== "learned") {
    const given = Object.entries(weekdays).filter(([, weight]) => weight !== undefined);
    return { weights: { ...EVEN_WEEK, ...Object.fromEntries(given) }, weightsFrom: "from the file" };
  }
  const before = spend.filter(({ day, isPartial }) =>
    isPartial !== true && day < start && day >= addDays(start, -7 * LEARNED_WEEKS)
  );
  const weights = learnWeekdays(before);
  return weights === undefined
    ? { weights: EVEN_WEEK, weightsFrom: "none, as fewer than 14 days before the period are stored" }
    : { weights, weightsFrom: `from ${before.length} stored days before the period` };
}

function campaignsOf(
  own: readonly AccountCampaign[],
  { mine, weights, today, missing, sharing, profile }: {
    readonly mine: readonly StoredDay[];
    readonly weights: WeekdayWeights;
    readonly today: Day;
    readonly missing: ReadonlySet<Day>;
    readonly sharing: ReadonlySet<string>;
    readonly profile: ProfileClient;
  },
): CampaignOfBudget[] {
  const recent = [...eachDay({ start: addDays(today, -RECENT_DAYS), end: addDays(today, -1) })]
    .filter((day) => !missing.has(day));
  const weight = recent.reduce((sum, day) => sum + weights[weekdayOf(day)], 0);
  const rows = Map.groupBy(mine.filter(({ day }) => day >= (recent[0] ?? today)), ({ id }) => id);
  const found = own.flatMap(({ kind, id, fields }): CampaignOfBudget[] => {
    const budget = dailyBudget(fields);
    if (budget === undefined || String(fields["state"]).toUpperCase() === "ARCHIVED") return [];
    const days = rows.get(id) ?? [];
    const cost = days.reduce((sum, day) => sum + day.cost, 0);
    const usual = weight === 0 ? 0 : cost / weight * weights[weekdayOf(today)];
    const last = days.filter(({ day }) => day >= addDays(today, -7));
    const full = last.filter(({ cost, budget }) =>
      budget !== null && budget > 0 && cost >= FULL_SHARE * budget
    );
    const limits = budgetLimitsOf(profile.countryCode, {
      kind,
      accountType: profile.profile.accountInfo.type,
    });
    const isKnown = limits !== undefined && !limits.doubtful;
    const isShared = sharing.has(idKey(fields, "portfolioId"));
    return [{
      key: `${kind} ${id}`,
      kind,
      id,
      name: String(fields["name"] ?? ""),
      budget,
      isOn: isOn(fields),
      expected: isOn(fields) ? Math.min(usual, budget * (isShared ? MAX_DAY_SPEND : 1)) : 0,
      isFull: full.length >= 2,
      atLeast: isKnown ? limits.min : 1,
      ...(isKnown ? { upTo: limits.max } : {}),
      roas: cost > 0 ? days.reduce((sum, { sales }) => sum + sales, 0) / cost : undefined,
      daysOverBudget: days.filter(({ cost, budget }) => budget !== null && cost > budget * 1.005).length,
      fields,
    }];
  });
  // Campaigns that share what others leave unspent come to the sum of their budgets at most.
  const scales = new Map(
    [...Map.groupBy(found, ({ fields }) => idKey(fields, "portfolioId"))].map(
      ([portfolio, members]) => {
        const sum = (pick: (one: CampaignOfBudget) => number): number =>
          members.reduce((all, one) => all + pick(one), 0);
        const expected = sum((one) => one.expected);
        const limit = sum((one) => one.isOn ? one.budget : 0);
        return [portfolio, sharing.has(portfolio) && expected > limit ? limit / expected : 1];
      },
    ),
  );
  return found.map((one) => ({
    ...one,
    expected: Number((one.expected * (scales.get(idKey(one.fields, "portfolioId")) ?? 1)).toFixed(4)),
  }));
}

function isOn({ state }: EntityFields): boolean {
  return String(state).toUpperCase() === "ENABLED";
}
