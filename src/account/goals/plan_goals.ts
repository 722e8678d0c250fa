import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import { ordersFor } from "../../base/statistics/confidence_sequence.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { counted } from "../../base/text/money_text.ts";
import {
  addDays,
  type Day,
  dayIn,
  type DayRange,
  eachDay,
  joinDays,
  startOfDay,
} from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { KINDS } from "../../client/entities/kinds.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { type ReportPresetName, spellReport } from "../../client/reports/requests/presets.ts";
import type { ExperimentGoal } from "../../plans/model/experiment.ts";
import { evidence } from "../../plans/review/evidence_of.ts";
import { budgetUsageNow } from "../jobs/budget_pressure.ts";
import { fetchMissing } from "../jobs/ensure_stored.ts";
import { type JobPlanOptions, type JobResult, judgedBy, type LeftOut } from "../jobs/job_result.ts";
import { withoutDenied } from "../jobs/without_denied.ts";
import { decideGoal, type DecisionRow } from "./decide.ts";
import type { DecidedGoal } from "./decided_goal.ts";
import {
  campaignDays,
  dailySums,
  GOAL_WEEKS,
  maturities,
  placementSums,
  type TargetSums,
  termSums,
  weeklySums,
  weeksOf,
} from "./goal_figures.ts";
import { type GoalFigures, goalInput } from "./goal_input.ts";
import { COOLING_LOCK } from "./quiet_groups.ts";
import { type GoalOutcome, goalOutcomes, SHOWN_EFFECT } from "./goal_outcome.ts";
import { knownChanges } from "./known_changes.ts";
import { goalNotes, keptText, outcomeLine, placementReason, rowReason } from "./goal_texts.ts";
import type { GoalsFile } from "./goals_file.ts";
import type { GoalTarget } from "./model.ts";
import { mostSpend } from "./month_money.ts";
import { goalsNote } from "./open_plan.ts";
import { placementChanges, PLACEMENTS } from "./placement_changes.ts";
import { priceWarnings } from "./price_changes.ts";
import { type GoalAccount, type GoalEntity, type GoalPlace, readGoals } from "./read_goals.ts";

/** Options of {@linkcode planGoals}. */
export interface GoalsOptions extends JobPlanOptions {
  /** Goals of a file; `loadGoals` reads one. */
  readonly file: GoalsFile;
  /** Reason for the plan. @default the names of the goals */
  readonly note?: string | undefined;
  /** Ids of keywords and targets to explain, for which stored daily figures are read as well. @default none */
  readonly explained?: readonly string[] | undefined;
  /** True to plan goals even if their held-back parts show harm. @default false: their bids stay */
  readonly despiteHarm?: boolean | undefined;
}

/** A plan of bids and budgets. */
export interface GoalsResult extends JobResult {
  /** Remarks about each goal. */
  readonly notes: readonly string[];
}

export interface DecidedGoals extends GoalsResult {
  readonly goals: readonly DecidedGoal[];
  readonly decidedBy: GoalFigures;
  readonly outcomes: readonly GoalOutcome[];
}

const REPORTS: readonly ReportPresetName[] = ["sp_targeting", "sp_campaigns", "sp_placement"];
const FEWEST_DAYS = 14;

/**
 * Plans bids and daily budgets of Sponsored Products that maximize each goal within its limits. Figures come from a
 * store, which is brought up to date first; missing days are reported and left out. Sends nothing.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadGoals, planGoals } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function plan(us: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { plan, notes } = await planGoals(us, { store, file: await loadGoals("goals.yaml") });
 *   console.log(notes.join("\n"), plan.toMarkdown());
 * }
 * ```
 * @throws {ConfigurationError} for goals that do not fit the account, and too few stored days.
 */
export function planGoals(profile: ProfileClient, options: GoalsOptions): Promise<GoalsResult> {
  return planDecidedGoals(profile, options);
}

export async function planDecidedGoals(profile: ProfileClient, options: GoalsOptions): Promise<DecidedGoals> {
  const { file, signal } = options;
  const today = options.today ?? profile.reports.today;
  const scheduled = await options.scheduled?.(profile.profileId) ?? new Set<string>();
  const paced = await options.paced?.(profile.profileId, today) ?? new Map<string, string>();
  const accounts = await readGoals(profile, file, { scheduled, paced, signal });
  const range = { start: addDays(today, -7 * GOAL_WEEKS), end: addDays(today, -1) };
  const { stored, missing } = await fetchMissing(profile, REPORTS, { ...options, days: range });
  const figures = await readFigures(profile, options, { today, range, accounts, missing });
  const outcomes = await outcomesOf(profile, options);
  const harmful = new Set(
    outcomes.flatMap(({ name, verdict }) => verdict === "less" && !options.despiteHarm ? [name] : []),
  );
  const held = new Set(
    accounts.flatMap(({ entities }) =>
      entities.flatMap(({ locked }) => locked?.reason === "held_back" ? [locked.message] : [])
    ),
  );
  const decide = (placements: boolean): DecidedGoal[] =>
    accounts.map((account) => {
      const read = goalInput(profile, account, figures);
      const input = { ...read, isHarmful: harmful.has(account.goal.name) };
      const free = options.again ? { ...input, targets: input.targets.map(withoutCooling) } : input;
      return { goal: account.goal, account, input: free, decision: decideGoal(free, { placements }) };
    });
  const withPlacements = decide(true);
  const keepsPlacements = placementsStay(options, { held, decided: withPlacements });
  const decided = keepsPlacements === undefined ? withPlacements : decide(false);

  const draft = profile.plan();
  const days = { from: figures.range.start, to: figures.range.end };
  const leftOut = decided.flatMap(({ account }) => account.leftOut);
  for (const one of decided) {
    for (const { entity, row, target } of pairs(one)) {
      if (row.kept !== null) leftOut.push(leftOutOf(entity, row, one));
      else {
        draft.update(entity.kind, { [KINDS[entity.kind].idField]: entity.id, bid: row.next }, {
          evidence: evidence(days, {
            ...sumOf(figures, entity.id),
            goal: one.goal.name,
            isTrial: row.isTrial,
            reason: rowReason({ row, target }, one),
          }),
        });
      }
    }
    for (const { id, fields } of one.account.campaigns) {
      const budget = one.decision.budgets.get(id);
      const adjustments = one.decision.adjustments.get(id);
      if (budget === undefined && adjustments === undefined) continue;
      draft.update("sp.campaigns", {
        campaignId: id,
        ...(budget === undefined ? {} : { budget: { budget } }),
        ...(adjustments === undefined
          ? {}
          : { dynamicBidding: { placementBidding: placementBidding(fields, adjustments) } }),
      }, {
        evidence: evidence(days, {
          cost: (figures.campaigns.get(id) ?? []).reduce((all, { cost }) => all + cost, 0),
          goal: one.goal.name,
          reason: [
            ...(budget === undefined ? [] : [`${one.goal.name}: ${budgetReason(one)}`]),
            ...(adjustments === undefined ? [] : [placementReason(id, one)]),
          ].join("; "),
        }),
      });
    }
  }
  const holdBack = holdBackOf(options, {
    held,
    decided,
    // The same files and store give the same plan.
    seed: `goals-${profile.profileId}-${today}`,
    goals: decided.map(worthOf),
  });
  const judging = { signal, ...judgedBy({ ...options, holdBack: holdBack.drawn }), changes: figures.changes };
  const whole = await draft.build({
    note: options.note ?? goalsNote(file),
    ...judging,
    more: {
      warnings: [
        ...accounts.flatMap(({ warnings }) => warnings),
        ...accounts.flatMap((account) => priceWarnings(account, figures)),
        ...figureWarnings(figures, missing),
        ...holdBack.warnings,
        ...(keepsPlacements === undefined ? [] : [keepsPlacements]),
      ],
    },
  });
  const { plan, denied } = await withoutDenied(whole, profile, judging);
  leftOut.push(...denied);
  const considered = decided.reduce(
    (all, { account }) => all + account.entities.length + account.leftOut.length,
    0,
  );
  const notes = decided.flatMap((one) => [
    ...goalNotes(one),
    ...amountNotes(one, plan),
    ...(plan.changes.length === 0 ? emptyNotes(one, leftOut) : []),
    ...outcomes.flatMap((outcome) =>
      outcome.name === one.goal.name && outcome.verdict === "less" ? [outcomeLine(outcome)] : []
    ),
    ...powerNotes(one, { plan, figures }),
  ]);
  const judged = { ...stored, firstDay: figures.range.start, lastDay: figures.range.end };
  return { plan, considered, leftOut, figures: judged, goals: decided, decidedBy: figures, outcomes, notes };
}

async function outcomesOf(
  profile: ProfileClient,
  { file, store, plans, today }: GoalsOptions,
): Promise<readonly GoalOutcome[]> {
  if (plans === undefined) return [];
  return await goalOutcomes(store, {
    names: file.goals.map(({ name }) => name),
    share: file.holdBack,
    profileId: profile.profileId,
    plans: await plans(),
    now: startOfDay(today ?? profile.reports.today, profile.timeZone),
  });
}

/**
 * Returns the prices by which a goal's result is judged later: the worth of its sales or orders, at the goal's price
 * of money. The price of a campaign is the mean over its bids, weighted by the sales from their clicks.
 */
function worthOf(one: DecidedGoal): ExperimentGoal {
  const { goal, decision } = one;
  const worth: [string, number][] = [];
  const campaigns = new Map<string, { sum: number; weight: number }>();
  for (const { entity: { campaignId }, row, target: { margin, incremental = 1 } } of pairs(one)) {
    const own = goal.aim === "orders" ? goal.costPerOrder ?? 0 : goal.aim === "profit" ? margin : 1;
    const value = decision.scale * incremental * own;
    if (row.kept === null) worth.push([row.id, Number(value.toFixed(6))]);
    const weight = row.clicks * row.salesPerClick + 1e-9;
    const campaign = campaigns.get(campaignId) ?? { sum: 0, weight: 0 };
    campaigns.set(campaignId, { sum: campaign.sum + weight * value, weight: campaign.weight + weight });
  }
  for (const [id, { sum, weight }] of campaigns) worth.push([id, Number((sum / weight).toFixed(6))]);
  return {
    name: goal.name,
    figure: goal.aim === "orders" ? "orders" : "sales",
    worth: Object.fromEntries(worth),
  };
}

/** Notes how many orders and weeks are needed until the held-back part of a plan shows a difference. */
function powerNotes(
  one: DecidedGoal,
  { plan: { experiment }, figures }: { readonly plan: ChangePlan; readonly figures: GoalFigures },
): string[] {
  if (experiment === null) return [];
  const { goal } = one;
  const isDrawn = (id: string): boolean => Object.hasOwn(experiment.strata, id);
  const moved = pairs(one).flatMap(({ entity: { id, campaignId } }) =>
    isDrawn(id) || isDrawn(campaignId) ? [{ id }] : []
  );
  const orders = moved.reduce((all, { id }) => all + sumOf(figures, id).orders, 0) / figures.weeks.length;
  const wanted = ordersFor(SHOWN_EFFECT, experiment.share);
  return moved.length === 0 || orders === 0 ? [] : [
    `${goal.name}: with ${
      Math.round(100 * experiment.share)
    } % held back, a difference of 10 % takes about ` +
    `${wanted} orders to show; these bids bring ${orders.toFixed(0)} a week, so ${
      Math.ceil(wanted / orders)
    } weeks`,
  ];
}

async function readFigures(
  profile: ProfileClient,
  { store, plans, signal, explained = [] }: Pick<GoalsOptions, "store" | "plans" | "signal" | "explained">,
  { today, range: wanted, accounts, missing }: {
    readonly today: Day;
    readonly range: DayRange;
    readonly accounts: readonly GoalAccount[];
    readonly missing: readonly (DayRange & { readonly report: ReportPresetName })[];
  },
): Promise<GoalFigures> {
  const { profileId } = profile;
  const known = await maturities(store, { profileId, range: wanted });
  const lacking = missing.filter(({ report }) => report === "sp_targeting");
  const stored = [...eachDay(wanted)].filter((day) =>
    known.days.has(day) && !lacking.some(({ start, end }) => start <= day && day <= end)
  );
  const end = stored.at(-1);
  if (end === undefined || stored.length < FEWEST_DAYS) {
    throw new ConfigurationError(
      `Cannot decide bids: the store ${store.location} has ${stored.length} of the days ${wanted.start} to ${wanted.end} ` +
        `of the report targeting, and needs ${FEWEST_DAYS}. ` +
        `Fetch them with sync() of ${profile.countryCode} with the reports ${
          REPORTS.map(spellReport).join(",")
        }`,
    );
  }
  const range = { start: stored[0] ?? end, end };
  const weeks = weeksOf(range);
  const { changes, warning } = await knownChanges(profile, { since: range.start, plans, signal });
  const placements = await placementChanges(profile, { since: range.start, signal });
  const changed = accounts.flatMap(({ entities }) =>
    entities.filter(({ id, adGroupId }) => [id, adGroupId].some((one) => changes.of(one, "bid").length > 0))
  );
  const ids = accounts.flatMap(({ campaigns }) => campaigns.map(({ id }) => id));
  return {
    today,
    range,
    weeks,
    maturities: { ...known, days: new Map(stored.map((day) => [day, known.days.get(day) ?? 1])) },
    weekly: await weeklySums(store, { profileId, weeks }),
    daily: await dailySums(store, {
      profileId,
      range,
      ids: [...new Set([...changed.map(({ id }) => id), ...explained])],
    }),
    campaigns: await campaignDays(store, { profileId, range: wanted }),
    placements: await placementSums(store, { profileId, range }),
    ...await readTerms(store, { profileId, range, signal }),
    campaignGaps: new Set(
      missing.filter(({ report }) => report === "sp_campaigns").flatMap((days) => [...eachDay(days)]),
    ),
    changes,
    placementChanges: placements.changes,
    placementsUnread: placements.unread,
    changesWarning: warning,
    spentToday: await spentToday(profile, ids, { today, signal }),
  };
}

/** Terms are optional: a store that cannot say them in time ends no plan. */
async function readTerms(
  store: GoalsOptions["store"],
  { signal, ...request }: {
    readonly profileId: string;
    readonly range: DayRange;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Pick<GoalFigures, "terms" | "termsUnread">> {
  try {
    return { terms: await termSums(store, request) };
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return { terms: new Map(), termsUnread: error.message };
  }
}

async function spentToday(
  profile: ProfileClient,
  ids: readonly string[],
  { today, signal }: { readonly today: Day; readonly signal: AbortSignal | undefined },
): Promise<Map<string, number>> {
  try {
    const usage = await budgetUsageNow(profile, "sp.campaigns", { ids, signal });
    return new Map([...usage].flatMap(([id, { budget, budgetUsagePercent, usageUpdatedTimestamp }]) =>
      // Before its first click of the day a campaign still shows the usage of yesterday.
      dayIn(profile.timeZone, Date.parse(usageUpdatedTimestamp)) === today
        ? [[id, budget * budgetUsagePercent / 100] as const]
        : []
    ));
  } catch (error) {
    if (!(error instanceof PlatformAdsError) || signal?.aborted) throw error;
    return new Map();
  }
}

export function pairs(
  { account, decision, input }: Pick<DecidedGoal, "account" | "decision" | "input">,
): { readonly entity: GoalEntity; readonly row: DecisionRow; readonly target: GoalTarget }[] {
  return decision.rows.flatMap((row, at) => {
    const [entity, target] = [account.entities[at], input.targets[at]];
    return entity === undefined || target === undefined ? [] : [{ entity, row, target }];
  });
}

function withoutCooling<Of extends { readonly locked?: string | undefined }>(target: Of): Of {
  return target.locked === COOLING_LOCK ? { ...target, locked: undefined } : target;
}

function leftOutOf(
  { kind, id, label, campaignId, adGroupId, locked }: GoalEntity,
  row: DecisionRow,
  one: DecidedGoal,
): LeftOut {
  return { ...(locked ?? keptText(row, one)), kind, id, label, campaignId, adGroupId };
}

export function sumOf({ weekly }: Pick<GoalFigures, "weekly">, id: string): TargetSums {
  const sums = { clicks: 0, cost: 0, orders: 0, sales: 0 };
  for (const week of weekly.get(id)?.values() ?? []) {
    sums.clicks += week.clicks;
    sums.cost += week.cost;
    sums.orders += week.orders;
    sums.sales += week.sales;
  }
  return sums;
}

/** Returns the placement adjustments of a campaign with the given changes; the other adjustments stay unchanged. */
function placementBidding(
  { dynamicBidding }: GoalPlace["fields"],
  adjustments: readonly number[],
): readonly Readonly<Record<string, unknown>>[] {
  const list = fieldsOf(dynamicBidding)["placementBidding"];
  const now = Array.isArray(list) ? list.map(fieldsOf) : [];
  const next = PLACEMENTS.map(({ campaign }, k) => ({
    placement: campaign,
    percentage: Math.round(100 * (adjustments[k] ?? 0)),
  }));
  const stays = now.filter(({ placement }) => next.every((one) => one.placement !== placement));
  const isThere = (placement: string): boolean => now.some((one) => one["placement"] === placement);
  return [...stays, ...next.filter(({ placement, percentage }) => percentage > 0 || isThere(placement))];
}

/** Counts the units to draw from: bids that change, or campaigns with a changed bid or adjustment. */
function drawable(decided: readonly DecidedGoal[], unit: "keyword" | "campaign"): number {
  const found = new Set(decided.flatMap((one) => [
    ...pairs(one).flatMap(({ entity: { id, campaignId }, row }) =>
      row.kept === null ? [unit === "keyword" ? id : campaignId] : []
    ),
    ...(unit === "campaign" ? one.decision.adjustments.keys() : []),
  ]));
  return found.size;
}

/**
 * Returns the reason why placement adjustments stay unchanged; `undefined` if they may change. An adjustment affects
 * all bids of a campaign, including held-back ones. Campaigns differ too much for a comparison of a few dozen to show
 * harm, so whole campaigns are held back only on request.
 */
function placementsStay(
  { file, holdBack: given }: Pick<GoalsOptions, "file" | "holdBack">,
  { held, decided }: { readonly held: ReadonlySet<string>; readonly decided: readonly DecidedGoal[] },
): string | undefined {
  const share = given?.share ?? file.holdBack;
  const isDrawn = share > 0 && (given !== undefined || held.size === 0);
  if (!isDrawn || decided.every(({ decision }) => decision.adjustments.size === 0)) return undefined;
  if (given?.unit === "campaign") return undefined;
  return "Placement adjustments stay: they would move held-back bids, too. hold_back: 0% lets them move, or whole " +
    "campaigns as the unit that is held back";
}

/**
 * Returns which part to hold back: randomly drawn bids, or whole campaigns if placement adjustments change. Budgets
 * are never held back, because they keep the monthly amount. No second part is drawn while an earlier plan still holds
 * back bids of these goals.
 */
function holdBackOf(
  { file, holdBack: given }: Pick<GoalsOptions, "file" | "holdBack">,
  { held, decided, seed, goals }: {
    readonly held: ReadonlySet<string>;
    readonly decided: readonly DecidedGoal[];
    readonly seed: string;
    readonly goals: readonly ExperimentGoal[];
  },
): { readonly drawn: JobPlanOptions["holdBack"]; readonly warnings: readonly string[] } {
  const share = given?.share ?? file.holdBack;
  if (share === 0) return { drawn: undefined, warnings: [] };
  const [holder] = held;
  const unit = decided.some(({ decision }) => decision.adjustments.size > 0) ? "campaign" : "keyword";
  const count = drawable(decided, unit);
  const isDrawable = Math.round(share * count) >= 2 && count - Math.round(share * count) >= 2;
  if (given === undefined && holder !== undefined) {
    return { drawn: undefined, warnings: [`Nothing more is held back: ${holder}`] };
  }
  if (given === undefined && !isDrawable) {
    return {
      drawn: undefined,
      warnings: count === 0
        ? []
        : [`Nothing is held back for comparison: ${counted(count, "bid")} are too few to split`],
    };
  }
  return {
    drawn: {
      ...given,
      unit: given?.unit ?? unit,
      seed: given?.seed ?? seed,
      share,
      shared: ["sp.campaigns.budget"],
      goals,
    },
    warnings: [],
  };
}

function figureWarnings(
  { range, today, maturities: known, changesWarning, placementsUnread, termsUnread }: GoalFigures,
  missing: readonly (DayRange & { readonly report: ReportPresetName })[],
): string[] {
  const warnings: string[] = [];
  for (const [report, gaps] of Map.groupBy(missing, (one) => one.report)) {
    const days = gaps.flatMap((gap) => [...eachDay(gap)]).filter((day) => day >= range.start && day < today);
    if (days.length === 0) continue;
    const named = joinDays(days).slice(0, 3).map(({ start, end }) =>
      start === end ? start : `${start} to ${end}`
    );
    warnings.push(
      `${counted(days.length, "day")} of ${spellReport(report)} are not stored and were left out: ${
        named.join(", ")
      }`,
    );
  }
  if (!known.isOwn) {
    warnings.push(
      "The store does not yet show how late orders arrive: assuming 60 % after one day and 90 % after five",
    );
  }
  if (changesWarning !== undefined) warnings.push(changesWarning);
  if (termsUnread !== undefined) {
    warnings.push(`Values are estimated without search terms, which could not be read (${termsUnread})`);
  }
  if (placementsUnread !== undefined) {
    warnings.push(
      `Placement adjustments stay: their change history could not be read (${placementsUnread}), ` +
        "so it is not known which of them cool down (limits.cooling)",
    );
  }
  return warnings;
}

function budgetReason({ input: { money }, decision: { most = 0 } }: DecidedGoal): string {
  if (money === undefined) return "room for busy days at the new bids";
  return most <= money.left - money.reserve + 0.005
    ? "its share of the rest of the month"
    : "limits.month is used up, so the lowest daily budget that the platform takes";
}

function emptyNotes({ goal, account, decision }: DecidedGoal, leftOut: readonly LeftOut[]): string[] {
  if (decision.stopped !== null) return [];
  if (account.entities.length === 0) {
    return [`${goal.name}: nothing changes: no keyword or target of its campaigns runs`];
  }
  const own = new Set(account.entities.map(({ id }) => id));
  const reasons = Map.groupBy(leftOut.filter(({ id }) => own.has(id ?? "")), ({ message }) => message);
  const counts = [...reasons].map(([message, of]) => `${message} (${of.length})`);
  return [`${goal.name}: nothing changes: ${counts.slice(0, 5).join("; ")}`];
}

/** Warns if the month can exceed its amount because changes were left out, for example denied by a policy. */
function amountNotes({ goal, account, input, decision }: DecidedGoal, plan: ChangePlan): string[] {
  const { money } = input;
  if (money === undefined) return [];
  const planned = new Set(
    plan.changes.flatMap(({ kind, id }) => kind === "sp.campaigns" && id !== null ? [id] : []),
  );
  const most = mostSpend(
    input.campaigns,
    money,
    ({ id, budget }) => planned.has(id) ? decision.budgets.get(id) ?? budget : budget,
  );
  const over = most - (money.left - money.reserve);
  if (over <= 0.005) return [];
  const fixed = account.campaigns.filter(({ isFixed }) => isFixed).length;
  return [
    `${goal.name}: the month may exceed its amount by up to ${
      over.toFixed(input.limits.decimals)
    }: budgets stay above what is left` +
    (fixed === 0 ? "" : `; ${counted(fixed, "budget")} must not change`),
  ];
}
