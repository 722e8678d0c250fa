import { ConfigurationError } from "../../errors.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { type AmountLimits, bidLimits, budgetLimitsOf } from "../../base/markets/market_limits.ts";
import {
  addDays,
  countDays,
  type Day,
  type DayRange,
  eachDay,
  endOfMonth,
  startOfMonth,
} from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { LastChanges } from "../../plans/model/amount_changes.ts";
import { namePattern } from "../../plans/policy/name_pattern.ts";
import { FULL_SHARE } from "../jobs/budget_pressure.ts";
import {
  type CampaignDay,
  type Maturities,
  meanOver,
  noons,
  type PlacementSums,
  type TargetSums,
  valueAt,
} from "./goal_figures.ts";
import type { Goal } from "./goals_file.ts";
import type {
  GoalAim,
  GoalCampaign,
  GoalInput,
  GoalLimits,
  GoalMoney,
  GoalTarget,
  TargetPeriod,
  TermFigures,
} from "./model.ts";
import { type PlacementChanges, PLACEMENTS, UNNAMED } from "./placement_changes.ts";
import { COOLING_LOCK } from "./quiet_groups.ts";
import {
  type GoalAccount,
  type GoalEntity,
  type GoalPlace,
  type GoalProduct,
  wordsOf,
} from "./read_goals.ts";

/** Assumed fraction of the day during which ads ran if the budget was used up, because reports have no hours. */
const FULL_DAY = 0.75;

export interface GoalFigures {
  readonly today: Day;
  readonly range: DayRange;
  readonly weeks: readonly DayRange[];
  readonly weekly: ReadonlyMap<string, ReadonlyMap<number, TargetSums>>;
  readonly daily: ReadonlyMap<string, ReadonlyMap<Day, TargetSums>>;
  readonly campaigns: ReadonlyMap<string, readonly CampaignDay[]>;
  readonly placements: ReadonlyMap<string, readonly PlacementSums[]>;
  readonly terms: ReadonlyMap<string, readonly TermFigures[]>;
  /** Reason why the search terms could not be read. */
  readonly termsUnread?: string | undefined;
  readonly maturities: Maturities;
  readonly campaignGaps: ReadonlySet<Day>;
  readonly changes: LastChanges;
  readonly placementChanges: PlacementChanges;
  /** Reason why the history of placement adjustments could not be read; all adjustments then stay unchanged. */
  readonly placementsUnread?: string | undefined;
  readonly changesWarning?: string | undefined;
  readonly spentToday: ReadonlyMap<string, number>;
}

export function goalInput(
  profile: ProfileClient,
  account: GoalAccount,
  figures: GoalFigures,
): GoalInput {
  const { goal, campaigns, entities } = account;
  const noon = noons(figures.range, profile.timeZone);
  const full = new Map(campaigns.map((one) => [one.id, fullDays(one, figures, noon)]));
  const placements = new Map(campaigns.map((one) => [one.id, placementsOf(one, figures)]));
  const multipliers = new Map(
    campaigns.map(({ id }) => [id, multiplierOf(id, placements.get(id) ?? [], { figures, noon })]),
  );
  const margins = marginsOf(goal, entities);
  const isBrand = (goal.brand?.terms ?? []).map(namePattern);
  const targets = entities.map((entity): GoalTarget => {
    const { id, campaignId, adGroupId, products, fields, bid } = entity;
    const text = wordsOf(fields);
    const periods = periodsOf(entity, figures, {
      noon,
      full: full.get(campaignId) ?? new Set(),
      multiplier: multipliers.get(campaignId) ?? (() => 1),
    });
    return {
      id,
      campaign: campaignId,
      adGroup: adGroupId,
      product: products.map(({ asin, sku }) => asin ?? sku).sort().join(" ") || campaignId,
      match: String(fields["matchType"] ?? fields["expressionType"] ?? "target").toLowerCase(),
      bid,
      meanBid: entity.isScheduled ? periods[0]?.bid : undefined,
      margin: margins.get(adGroupId) ?? 1,
      incremental: text !== "" && isBrand.some((matches) => matches(text))
        ? goal.brand?.incremental
        : undefined,
      locked: entity.locked?.reason ?? coolingOf(entity, goal, figures),
      terms: figures.terms.get(id),
      periods,
    };
  });
  return {
    targets,
    campaigns: campaigns.map((one): GoalCampaign => ({
      id: one.id,
      budget: one.budget,
      highestBid: one.highestBid,
      isFixed: one.isFixed,
      placements: placements.get(one.id),
      keepsPlacements: one.keepsPlacements || isCoolingPlacement(one.id, goal, figures),
      isSharing: one.isSharing,
      ...moneyOf(one, figures, profile.timeZone),
    })),
    aim: aimOf(goal),
    limits: limitsOf(profile, goal),
    money: monthOf(account, figures, profile.timeZone),
    explore: goal.explore,
  };
}

/** Unreachable ACOS, so that only the amount limits the goal. */
const NO_TARGET = 20;

function aimOf({ aim, acos = 0, costPerOrder = 0 }: Goal): GoalAim {
  if (aim === "profit") return { kind: "profit" };
  if (aim === "spend") return { kind: "sales", acos: NO_TARGET };
  return aim === "sales" ? { kind: "sales", acos } : { kind: "orders", cost: costPerOrder };
}

export function limitsOf({ countryCode, profile }: ProfileClient, { name, limits }: Goal): GoalLimits {
  const known = (one: AmountLimits | undefined): AmountLimits | undefined => one?.doubtful ? undefined : one;
  const bids = known(bidLimits(countryCode, "sp"));
  const budgets = known(
    budgetLimitsOf(countryCode, { kind: "sp.campaigns", accountType: profile.accountInfo.type }),
  );
  const given = [
    ["min_bid", limits.minBid, bids],
    ["max_bid", limits.maxBid, bids],
    ["min_budget", limits.minBudget, budgets],
    ["max_budget", limits.maxBudget, budgets],
  ] as const;
  const decimals = decimalsOf(countryCode);
  const problems = given.flatMap(([field, value, market]) => {
    if (value === undefined) return [];
    if (market !== undefined && (value < market.min || value > market.max)) {
      return [`limits.${field} is ${value}, and ${countryCode} takes ${market.min} to ${market.max}`];
    }
    return value === Number(value.toFixed(decimals))
      ? []
      : [`limits.${field} has more than ${decimals} decimals`];
  });
  if (problems.length > 0) throw new ConfigurationError(`Cannot plan goal ${name}: ${problems.join("; ")}`);
  return {
    minBid: limits.minBid ?? bids?.min ?? 10 ** -decimals,
    maxBid: limits.maxBid ?? bids?.max ?? Infinity,
    decimals,
    raise: limits.raise,
    cut: limits.cut,
    minBudget: limits.minBudget ?? budgets?.min ?? 1,
    maxBudget: limits.maxBudget ?? budgets?.max ?? Infinity,
    floorBudget: budgets?.min,
  };
}

function marginsOf(goal: Goal, entities: readonly GoalEntity[]): ReadonlyMap<string, number> {
  const { name, aim, margin, margins } = goal;
  if (aim !== "profit") return new Map();
  const unknown = new Set<string>();
  const ofProduct = ({ asin = "", sku = "" }: GoalProduct): number => {
    const known = margins.get(asin) ?? margins.get(sku) ?? margin;
    if (known === undefined) unknown.add(asin || sku);
    return known ?? 1;
  };
  const found = new Map<string, number>();
  for (const { adGroupId, products, label } of entities) {
    if (found.has(adGroupId)) continue;
    if (products.length === 0 && margin === undefined) {
      unknown.add(`the products of the ad group of ${label}`);
    }
    const sum = products.reduce((all, product) => all + ofProduct(product), 0);
    found.set(adGroupId, products.length === 0 ? margin ?? 1 : sum / products.length);
  }
  if (unknown.size > 0) {
    const named = [...unknown].slice(0, 10).join(", ");
    throw new ConfigurationError(
      `Cannot plan goal ${name}: margins do not name ${unknown.size} products (${named}${
        unknown.size > 10 ? ", ..." : ""
      }). Add them, or margin: 30% for all others`,
    );
  }
  return found;
}

function coolingOf(
  { id, adGroupId, isInherited }: GoalEntity,
  { limits: { cooling } }: Goal,
  { changes, today }: GoalFigures,
): string | undefined {
  const days = [id, ...(isInherited ? [adGroupId] : [])].flatMap((one) => changes.dayOf(one, ["bid"]) ?? []);
  return days.some((day) => addDays(day, cooling) > today) ? COOLING_LOCK : undefined;
}

function fullDays(
  { id, budget }: GoalPlace,
  { campaigns, changes }: GoalFigures,
  noon: ReadonlyMap<Day, number>,
): ReadonlySet<Day> {
  const own = changes.of(id, "budget");
  return new Set(
    (campaigns.get(id) ?? []).flatMap(({ day, cost }) => {
      const then = valueAt(own, { now: budget, at: noon.get(day) ?? 0 }) ?? budget;
      return cost >= FULL_SHARE * then ? [day] : [];
    }),
  );
}

/** Half a day, in milliseconds. */
const HALF_DAY = 43_200_000;

/**
 * Splits the days into weeks, and further where the bid changed. A bid that a schedule moves by the hour counts with
 * its mean over the hours of each week. Days without stored data are ignored.
 */
function periodsOf(
  entity: GoalEntity,
  figures: GoalFigures,
  { noon, full, multiplier }: {
    readonly noon: ReadonlyMap<Day, number>;
    readonly full: ReadonlySet<Day>;
    /** Returns the mean factor of the campaign's adjustments on the given days. */
    readonly multiplier: (days: readonly Day[]) => number;
  },
): TargetPeriod[] {
  const { id, adGroupId, fields, bid } = entity;
  const { changes, weeks, weekly, daily, maturities, today } = figures;
  const [own, ofGroup] = [changes.of(id, "bid"), changes.of(adGroupId, "bid")];
  const ownBid = typeof fields["bid"] === "number" ? fields["bid"] : null;
  const bidAt = (at: number): number =>
    valueAt(own, { now: ownBid, at }) ?? valueAt(ofGroup, { now: bid, at }) ?? bid;
  const bidOn = (day: Day): number => bidAt(noon.get(day) ?? 0);
  const moments = [...own, ...ofGroup].map(({ at }) => at);
  const meanOn = (day: Day): number => {
    const middle = noon.get(day) ?? 0;
    return meanOver(bidAt, { moments, from: middle - HALF_DAY, to: middle + HALF_DAY });
  };
  return weeks.flatMap((week, place): TargetPeriod[] => {
    const days = [...eachDay(week)].filter((day) => maturities.days.has(day));
    if (days.length === 0) return [];
    const period = (of: readonly Day[], at: number, sums: TargetSums | undefined): TargetPeriod => ({
      days: of.length,
      age: countDays({ start: week.end, end: today }) - 1,
      bid: at,
      multiplier: multiplier(of),
      clicks: sums?.clicks ?? 0,
      cost: sums?.cost ?? 0,
      orders: sums?.orders ?? 0,
      sales: sums?.sales ?? 0,
      maturity: of.reduce((all, day) => all + (maturities.days.get(day) ?? 1), 0) / of.length,
      inBudget: 1 - (1 - FULL_DAY) * of.filter((day) => full.has(day)).length / of.length,
    });
    if (own.length === 0 && ofGroup.length === 0) return [period(days, bid, weekly.get(id)?.get(place))];
    if (entity.isScheduled) {
      const mean = days.reduce((all, day) => all + meanOn(day), 0) / days.length;
      return [period(days, mean, weekly.get(id)?.get(place))];
    }
    return [...runsBy(days, bidOn)].map(([at, run]) =>
      period(run, at, run.map((day) => daily.get(id)?.get(day)).reduce(added, undefined))
    );
  });
}

function runsBy(days: readonly Day[], valueOf: (day: Day) => number): [value: number, days: Day[]][] {
  const runs: [number, Day[]][] = [];
  for (const day of days) {
    const value = valueOf(day);
    const last = runs.at(-1);
    if (last !== undefined && last[0] === value) last[1].push(day);
    else runs.push([value, [day]]);
  }
  return runs;
}

function added(sums: TargetSums | undefined, more: TargetSums | undefined): TargetSums | undefined {
  if (sums === undefined || more === undefined) return sums ?? more;
  return {
    clicks: sums.clicks + more.clicks,
    cost: sums.cost + more.cost,
    orders: sums.orders + more.orders,
    sales: sums.sales + more.sales,
  };
}

type Placement = NonNullable<GoalCampaign["placements"]>[number];

function placementsOf({ id, fields }: GoalPlace, { placements }: GoalFigures): Placement[] {
  const list = fieldsOf(fields["dynamicBidding"])["placementBidding"];
  const percents = new Map(
    (Array.isArray(list) ? list : []).map((one) => {
      const { placement, percentage } = fieldsOf(one);
      return [String(placement), Number(percentage ?? 0)];
    }),
  );
  const sums = new Map((placements.get(id) ?? []).map((one) => [one.placement, one]));
  return PLACEMENTS.map(({ report, campaign }) => ({
    adjustment: (percents.get(campaign) ?? 0) / 100,
    clicks: sums.get(report)?.clicks ?? 0,
    orders: sums.get(report)?.orders ?? 0,
  }));
}

/**
 * Returns a function that computes the mean factor by which a campaign's placement adjustments raised its bids on the
 * given days.
 */
function multiplierOf(
  id: string,
  placements: readonly Placement[],
  { figures: { placementChanges }, noon }: {
    readonly figures: Pick<GoalFigures, "placementChanges">;
    readonly noon: ReadonlyMap<Day, number>;
  },
): (days: readonly Day[]) => number {
  const clicks = placements.reduce((all, one) => all + one.clicks + 1, 0);
  const mean = (adjustments: readonly number[]): number =>
    placements.reduce((all, one, k) => all + (one.clicks + 1) * (1 + (adjustments[k] ?? 0)), 0) /
    Math.max(1, clicks);
  const changes = PLACEMENTS.map(({ campaign }) => placementChanges.get(`${id} ${campaign}`) ?? []);
  const now = mean(placements.map(({ adjustment }) => adjustment));
  if (changes.every(({ length }) => length === 0)) return () => now;
  const then = (day: Day): number =>
    mean(placements.map(({ adjustment }, k) => {
      const later = changes[k]?.find(({ at }) => at > (noon.get(day) ?? 0));
      const before = Number(later?.before ?? NaN) / 100;
      return Number.isFinite(before) ? before : adjustment;
    }));
  return (days) => days.reduce((all, day) => all + then(day), 0) / Math.max(1, days.length);
}

/** True if a placement adjustment of the campaign changed recently, or if that is unknown. */
function isCoolingPlacement(
  id: string,
  { limits: { cooling } }: Goal,
  { placementChanges, placementsUnread, today }: GoalFigures,
): boolean {
  if (placementsUnread !== undefined) return true;
  const moments = [...PLACEMENTS.map(({ campaign }) => campaign), UNNAMED].flatMap((placement) =>
    placementChanges.get(`${id} ${placement}`)?.map(({ at }) => at) ?? []
  );
  return moments.some((at) => at >= Date.parse(`${addDays(today, 1 - cooling)}T00:00:00Z`));
}

function moneyOf(
  { id, budget }: Pick<GoalPlace, "id" | "budget">,
  { today, campaigns, changes, campaignGaps, spentToday }: GoalFigures,
  timeZone: string,
): Pick<GoalCampaign, "spentToday" | "unspent"> {
  const days = monthBefore(today);
  const own = changes.of(id, "budget");
  const noon = days === undefined ? new Map<Day, number>() : noons(days, timeZone);
  const cost = new Map((campaigns.get(id) ?? []).map((one) => [one.day, one.cost]));
  let unspent = 0;
  for (const [day, at] of noon) {
    // A day that is not stored counts as spent in full, in the month's sum too.
    if (!campaignGaps.has(day)) {
      unspent += (valueAt(own, { now: budget, at }) ?? budget) - (cost.get(day) ?? 0);
    }
  }
  return {
    spentToday: spentToday.get(id) ?? 0,
    unspent: Math.max(0, unspent),
  };
}

export function monthBefore(today: Day): DayRange | undefined {
  const start = startOfMonth(today);
  return start === today ? undefined : { start, end: addDays(today, -1) };
}

/** Sums up the spend of the month; days without stored data count as fully spent budgets. */
function monthOf(
  { goal: { limits: { month, reserve } }, selected, campaigns, lenders }: GoalAccount,
  figures: GoalFigures,
  timeZone: string,
): GoalMoney | undefined {
  if (month === undefined) return undefined;
  const { today, campaigns: spend, campaignGaps } = figures;
  const days = monthBefore(today);
  const stored = days === undefined ? [] : [...eachDay(days)].filter((day) => !campaignGaps.has(day));
  const missing = days === undefined ? 0 : countDays(days) - stored.length;
  const [first, last] = [stored[0], stored.at(-1)];
  let spent = campaigns.reduce((all, { budget }) => all + missing * budget, 0);
  for (const id of selected) {
    for (const { day, cost } of spend.get(id) ?? []) {
      if (first !== undefined && last !== undefined && first <= day && day <= last) spent += cost;
    }
  }
  const daysLeft = countDays({ start: today, end: endOfMonth(today) });
  return {
    left: month - spent,
    daysLeft,
    reserve: reserve * month,
    lent: lenders.reduce(
      (sum, one) => sum + one.budget * daysLeft + (moneyOf(one, figures, timeZone).unspent ?? 0),
      0,
    ),
  };
}
