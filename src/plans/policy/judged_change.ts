import { changeSubject } from "../model/change_subject.ts";
import { idText } from "../../base/json/id_of.ts";
import type { Change, ChangeOperation, EntityFields } from "../model/change.ts";
import { type DayTotals, type FirstValue, NO_TOTALS } from "../state/day_totals.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import {
  adjustmentsOf,
  bidField,
  comparedAmount,
  inheritsBid,
  ownBid,
  strategyFactor,
} from "../state/amounts.ts";
import type { Step } from "../state/plan_state.ts";
import { copySteps } from "../state/copy_steps.ts";
import { identityOfStep, isEnabled, planState } from "../state/plan_state.ts";
import type { JudgeablePlan } from "../model/write_policy.ts";
import type { PolicyDocument } from "./policy_document.ts";
import {
  claimedState,
  GLOBAL_CAMPAIGNS,
  isCampaignKind,
  known,
  type PriorState,
  Unread,
} from "../model/prior_state.ts";
import { type EntityFacts, entityFacts } from "./entity_facts.ts";
import { type MovedBid, movesBelow, riseBelow } from "./moved_today.ts";

export interface JudgedChange {
  readonly index: number;
  readonly change: Change;
  readonly step: Step;
  readonly whole: Step;
  readonly op: ChangeOperation;
  readonly before: EntityFacts;
  readonly after: EntityFacts;
  readonly campaign: EntityFacts | undefined;
  readonly campaignUnknown: boolean;
  readonly campaignIsNew: boolean;
  readonly fields: readonly string[];
}

export interface JudgedDay {
  readonly today: DayTotals;
  readonly moved?: readonly MovedBid[] | undefined;
}

type LabelsById = ReadonlyMap<string, readonly string[]>;

export function judgedChange(step: Step, labels?: LabelsById, whole: Step = step): JudgedChange {
  const { at, change, op, campaign } = step;
  const place = campaign === undefined || campaign instanceof Unread ? undefined : campaign;
  const places = whole === step ? placeIds(step) : [...placeIds(step), ...placeIds(whole)];
  const factsOf = (kind: string, id: string | null, fields: EntityFields): EntityFacts =>
    labelled(entityFacts(kind, id, fields), { labels, more: places });
  const after = factsOf(change.kind, change.id, step.after);
  const before = op === "create"
    ? { ...entityFacts(change.kind, change.id, {}), labels: ownLabels(after, { labels, more: places }) }
    : factsOf(change.kind, change.id, known(step.before) ?? {});
  const isCampaign = isCampaignKind(change.kind);
  return {
    index: at,
    change,
    step,
    whole,
    op,
    before,
    after,
    campaign: isCampaign
      ? (op === "create" ? after : before)
      : place && factsOf(place.kind, place.id ?? null, place.before ?? place.after),
    campaignUnknown: campaign instanceof Unread,
    campaignIsNew: place !== undefined && place.before === undefined && !isCampaign,
    fields: Object.keys(change.after),
  };
}

/**
 * A change of a global campaign appears once per marketplace it affects, or as itself if it affects none, such as a
 * state that every marketplace overrides.
 */
export function judgedChanges(
  { changes, countryCode }: Pick<JudgeablePlan, "changes" | "countryCode">,
  { account, labels }: {
    account: PriorState | undefined;
    labels: LabelsById;
  },
): JudgedChange[] {
  const { steps } = planState(changes, account ?? claimedState(changes));
  return steps.flatMap((whole) => {
    const copies = copySteps(whole, countryCode);
    const isIdle = Object.keys(whole.change.after).length === 0;
    return (copies.length > 0 || isIdle ? copies : [whole]).map((step) => judgedChange(step, labels, whole));
  });
}

export function placeOf(
  { step: { market } }: JudgedChange,
  profile: { readonly countryCode: string; readonly currency: string },
): { readonly countryCode: string; readonly currency: string } {
  return market === undefined ? profile : { countryCode: market.country, currency: market.currency };
}

export function labelsById(labels: PolicyDocument["labels"]): LabelsById {
  const byId = new Map<string, string[]>();
  for (const [label, ids] of Object.entries(labels)) {
    for (const id of ids) byId.set(id, [...byId.get(id) ?? [], label]);
  }
  return byId;
}

const WHOLES: Readonly<Record<string, string>> = {
  globalCampaignId: GLOBAL_CAMPAIGNS,
  globalAdGroupId: "sp.global_ad_groups",
  globalKeywordId: "sp.global_targets",
  globalTargetId: "sp.global_targets",
  globalAdId: "sp.global_product_ads",
};

const PLACES: readonly string[] = ["campaignId", "adGroupId", "portfolioId", ...Object.keys(WHOLES)];

function placesIn(entity: EntityFields | undefined): unknown[] {
  return PLACES.map((field) => entity?.[field]);
}

export function kindsOf({ change, whole, before }: JudgedChange): string[] {
  const wholes = Object.entries(WHOLES).flatMap(([field, kind]) =>
    before.fields[field] === undefined ? [] : [kind]
  );
  return [whole.change.kind, change.kind, ...wholes];
}

export function placeIds({ change, campaign, adGroup, before, after }: Step): string[] {
  const places = [campaign, adGroup].flatMap((place) =>
    place === undefined || place instanceof Unread ? [] : [place]
  );
  const fields = [
    known(before),
    after,
    ...places.flatMap((place) => [place.before, place.after]),
  ].flatMap(placesIn);
  const ids = [change.id, change.campaignId, ...places.map(({ id }) => id), ...fields].flatMap((id) =>
    idText(id) ?? []
  );
  return [...new Set(ids)];
}

/**
 * The entity and its parents according to the account, not the plan. For a create, its existing ad group and campaign.
 */
export function exceptedIds({ step, whole }: Pick<JudgedChange, "step" | "whole">): string[] {
  return [
    ...new Set([step, whole].flatMap(({ change, before, campaign, adGroup }) => {
      const places = [campaign, adGroup].flatMap((place) =>
        place === undefined || place instanceof Unread ? [] : [place]
      );
      const fields = [known(before), ...places.map((place) => place.before)];
      return [change.id, ...places.map(({ id }) => id), ...fields.flatMap(placesIn)].flatMap((id) =>
        idText(id) ?? []
      );
    })),
  ];
}

function labelled(
  facts: EntityFacts,
  names: { labels: LabelsById | undefined; more: readonly string[] },
): EntityFacts {
  const own = ownLabels(facts, names);
  return own.length === 0 ? facts : { ...facts, labels: [...new Set([...facts.labels, ...own])] };
}

function ownLabels(
  facts: EntityFacts,
  { labels, more }: { labels: LabelsById | undefined; more: readonly string[] },
): string[] {
  if (labels === undefined || labels.size === 0) return [];
  const ids = new Set([facts.id, facts.adGroupId, facts.campaignId, facts.portfolioId, ...more]);
  return [...ids].flatMap((id) => id === undefined ? [] : labels.get(id) ?? []);
}

/**
 * Relative move of a bid or budget: 0.5 is +50 %, -0.5 is -50 %. Bids are compared as cost per click, including the
 * campaign's placements and strategy.
 *
 * Measured from the value at the start of the day, so that small steps add up and clearing a bid in between changes
 * nothing. A missing bid is the ad group's. Removing a budget or cap is an infinite rise, a first cap an infinite
 * fall. The sign never contradicts the change's own direction.
 *
 * @param day `lowest` selects the amount that falls most.
 * @default the amount that rises most
 * @returns `undefined` without a move, {@linkcode Unread} when a value is unknown.
 */
export function relativeMove(
  judged: JudgedChange,
  day: JudgedDay & { readonly lowest?: boolean },
): number | undefined | Unread {
  const { step, before, after } = judged;
  const { today, lowest = false } = day;
  const extreme = lowest ? smaller : larger;
  const { change: { kind, id }, op, replaces } = step;
  if (op === "archive" || op === "call") return undefined;
  if (isCampaignKind(kind) || kind === "portfolios") {
    const moves = "budget" in step.change.after || movesBelow(step);
    if (step.before instanceof Unread && moves) return step.before;
    const was = replaces === undefined ? before : entityFacts(kind, null, replaces);
    const first = today.firstValue(kind, id ?? step.replacedId ?? null, "budget") ??
      today.firstValue(kind, identityOfStep(step), "archived");
    const budget = ratioOf(was.budget, after.budget, first);
    const [cap, factor] = [capMove(step, today), factorMove(step, day, extreme)];
    if (cap instanceof Unread) return cap;
    if (factor instanceof Unread) return factor;
    const firstLimit = lowest && op === "update" && first === undefined ? firstCap(judged) : undefined;
    return [cap, factor, firstLimit].reduce(extreme, budget);
  }
  const first = firstBid(step, today);
  if (op === "create" && replaces === undefined && first === undefined) return undefined;
  const touchesBid = op === "create" || bidField(kind) in step.change.after;
  const { bid } = step;
  if (!touchesBid) return undefined;
  if (bid.after instanceof Unread) return bid.after;
  const from = first ?? bid.before;
  if (from instanceof Unread) return from;
  if (bid.after === undefined) return undefined;
  if (from === undefined) {
    return inheritsBid(kind) && op === "update" ? new Unread("its bid before is unknown") : undefined;
  }
  if (first === undefined && bid.after === bid.before && before.bid === after.bid) return undefined;
  let rise = from === 0 ? (bid.after > 0 ? Infinity : 1) : bid.after / from;
  if (movesBelow(step)) {
    const below = riseBelow(step, { today, moved: day.moved ?? [], inherited: bid.after });
    if (below instanceof Unread) return below;
    // A default bid is lowered also where what has a bid of its own below stays.
    if (below > 1) rise = Math.max(rise, below);
  }
  const move = rise * campaignRise(step, today) - 1;
  if (typeof bid.before !== "number" || step.replaces !== undefined) return move;
  return ownWay(move, bid.after / bid.before * campaignRise(step, NO_TOTALS) - 1);
}

/** True if a bid and its placements both moved today, so that restoring one may exceed the original cost per click. */
export function addsToMoves({ step }: JudgedChange, { today, moved = [] }: JudgedDay): boolean {
  const { bid } = step;
  const inherited = typeof bid.before === "number" ? bid.before : undefined;
  const below = movesBelow(step) ? riseBelow(step, { today, moved, inherited }) : 1;
  if (below instanceof Unread || below > 1) return true;
  return !isCampaignKind(step.change.kind) && campaignRise(step, today) > 1;
}

function firstBid(step: Step, today: DayTotals): number | undefined {
  const { change: { kind, id }, replacedId, adGroup } = step;
  const own = today.firstValue(kind, id ?? replacedId ?? null, "bid") ??
    today.firstValue(kind, identityOfStep(step), "archived");
  const fields = step.replaces ?? known(step.before);
  if (own !== undefined || fields === undefined || adGroup === undefined || adGroup instanceof Unread) {
    return own;
  }
  // What has had no bid of its own until now began the day with that of its ad group.
  const { kind: place, id: placeId = null } = adGroup;
  return inheritsBid(kind) && ownBid(kind, fields) === undefined
    ? today.firstValue(place, placeId, "bid")
    : undefined;
}

function capMove(
  { change: { kind, id }, before, after, cap }: Step,
  today: DayTotals,
): number | undefined | Unread {
  if (kind === "portfolios") {
    const [was, is] = [known(before), after].map((fields) => fieldsOf(fields?.["budget"])["policy"]);
    const isSame = was === is || was === undefined || was === "NO_CAP" || is === "NO_CAP";
    return isSame ? undefined : new Unread(`its cap period changes from ${was} to ${is ?? "none"}`);
  }
  const [was, is] = [known(before), after].map((fields) =>
    fieldsOf(fields?.["budget"])["budgetType"] ?? fields?.["budgetType"]
  );
  // The same number is another amount where it holds for a day and not for all days.
  if (was !== undefined && is !== undefined && String(was).toUpperCase() !== String(is).toUpperCase()) {
    return new Unread(`its budget type changes from ${was} to ${is}`);
  }
  if (cap === undefined) return undefined;
  if (cap.before instanceof Unread) return cap.before;
  return cap.after instanceof Unread
    ? cap.after
    : ratioOf(cap.before, cap.after, today.firstValue(kind, id, "cap"));
}

function firstCap({ step: { change, cap }, before, after }: JudgedChange): number | undefined {
  if (change.kind === "portfolios") {
    return before.budget === undefined && after.budget !== undefined ? -Infinity : undefined;
  }
  if (cap === undefined || cap.before !== undefined || typeof cap.after !== "number") return undefined;
  const budget = before.budget ?? after.budget;
  return budget === undefined ? undefined : Math.min(0, cap.after / budget - 1);
}

/** Returns 0 if the move since the start of the day has the opposite direction of the change itself. */
function ownWay(sinceStart: number, itself: number): number {
  return itself <= 0 && sinceStart > 0 || itself >= 0 && sinceStart < 0 ? 0 : sinceStart;
}

function ratioOf(
  before: number | undefined,
  after: number | undefined,
  first: number | undefined,
): number | undefined {
  if (before === after) return undefined;
  const from = first ?? before;
  if (from === undefined) return undefined;
  if (after === undefined) return Infinity;
  const move = from === 0 ? (after > 0 ? Infinity : 0) : (after - from) / from;
  return before === undefined ? move : ownWay(move, after - before);
}

function campaignRise({ campaign }: Step, today: DayTotals): number {
  if (campaign === undefined || campaign instanceof Unread) return 1;
  const { kind, id = null } = campaign;
  const from = factors(campaign.before ?? campaign.after);
  const firstOf = (key: string): number =>
    today.firstValue(kind, id, `factor${key}`) ?? from.get(key) ??
      today.firstValue(kind, id, "factor") ?? from.get("")!;
  const to = factors(campaign.after, from.keys());
  // What lowers them beside the bid may be refused.
  if (!campaign.isSure) { for (const [key, was] of from) to.set(key, Math.max(was, to.get(key)!)); }
  const strategy = to.get("")! / firstOf("");
  const lists = new Map<string, number>();
  for (const [key, factor] of to) {
    const [list = ""] = key.split(" ");
    const first = firstOf(key);
    const rise = first === 0 ? Infinity : factor / first / strategy;
    lists.set(list, Math.max(lists.get(list) ?? 1, rise));
  }
  return [...lists.values()].reduce((product, rise) => product * rise, strategy);
}

function factorMove(
  step: Step,
  { today, moved = [] }: JudgedDay,
  extreme: typeof larger,
): number | undefined | Unread {
  const { change: { id, kind }, before, after } = step;
  const was = known(before);
  if (was === undefined) return undefined;
  const from = factors(was);
  const to = factors(after, from.keys());
  const below = riseBelow(step, { today, moved, inherited: undefined });
  let move: number | undefined;
  for (const [key, factor] of to) {
    const previous = from.get(key) ?? from.get("")!;
    if (factor === previous) continue;
    if (below instanceof Unread) return below;
    const first = today.firstValue(kind, id, `factor${key}`) ?? previous;
    const since = first === 0 ? Infinity : factor / first * below - 1;
    move = extreme(move, previous === 0 ? since : ownWay(since, factor / previous - 1));
  }
  return move;
}

function factors(campaign: EntityFields, others: Iterable<string> = []): Map<string, number> {
  const strategy = strategyFactor(campaign);
  const found = new Map([["", strategy]]);
  for (const [list, adjustments] of adjustmentsOf(campaign)) {
    for (const [key, percent] of adjustments) found.set(`${list} ${key}`, strategy * (1 + percent / 100));
  }
  for (const key of others) if (!found.has(key)) found.set(key, strategy);
  return found;
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

export function firstValues(judged: readonly JudgedChange[], today: DayTotals): FirstValue[] {
  return judged.flatMap(({ step, before, after }) => {
    const { change: { kind, id }, op, bid } = step;
    if (id === null) return [];
    const moved: [FirstValue["field"], number][] = [];
    if (before.budget !== undefined && before.budget !== after.budget) moved.push(["budget", before.budget]);
    if (typeof step.cap?.before === "number") moved.push(["cap", step.cap.before]);
    const first = isCampaignKind(kind)
      ? today.firstValue(kind, id, "budget") ?? before.budget
      : firstBid(step, today) ?? bid.before;
    if (op === "archive" && typeof first === "number") {
      const identity = identityOfStep(step);
      const isKept = today.firstValue(kind, identity, "archived") !== undefined;
      return isKept ? [] : [{ kind, id: identity, field: "archived", value: first }];
    }
    if (typeof first === "number" && (bid.before !== bid.after || before.bid !== after.bid)) {
      moved.push(["bid", first]);
    }
    // The platform's history of changes has none of Display.
    if (kind.startsWith("sd.") && before.state !== after.state) {
      moved.push(["state", isEnabled(known(step.before)) ? 1 : 0]);
    }
    const was = known(step.before);
    if (isCampaignKind(kind) && was !== undefined) {
      const from = factors(was);
      for (const [key, factor] of factors(step.after, from.keys())) {
        const first = from.get(key) ?? from.get("")!;
        if (factor !== first) moved.push([`factor${key}`, first]);
      }
    }
    return moved.flatMap(([field, value]) =>
      today.firstValue(kind, id, field) === undefined ? [{ kind, id, field, value }] : []
    );
  });
}

/**
 * False for changes that can only lower spend: an archive, a pause, a lower bid or budget. They pass spend limits without
 * figures. Removing a negative may raise spend.
 */
export function mayRaiseSpend(judged: JudgedChange): boolean {
  const { change, step, before, after, fields } = judged;
  if (/negative/.test(change.kind)) return step.op !== "create" || !isEnabled(step.after);
  if (step.op === "archive" || after.state !== undefined && after.state !== "ENABLED") return false;
  if (before.state !== after.state || step.wakes) return true;
  return !fields.every((field) => field === "state" || isLowered(judged, field));
}

/** Unknown figures must not block a pause or a lower bid or budget. Archiving is irreversible and does not count. */
export function isBrake(judged: JudgedChange): boolean {
  return judged.op === "update" && !mayRaiseSpend(judged) &&
    judged.fields.every((field) => field === "state" || isLowered(judged, field));
}

function isLowered({ change: { kind }, step, before, after }: JudgedChange, field: string): boolean {
  const isAtMost = (from: number | undefined, to: number | undefined): boolean =>
    from !== undefined && to !== undefined && to <= from;
  if (field === bidField(kind)) {
    return isAtMost(comparedAmount(kind, known(step.before)), comparedAmount(kind, step.after));
  }
  if (field !== "budget") return false;
  // An amount a day, for life, a month or a range of days: of another period it says nothing.
  const [now = "", next] = [before, after].map(({ fields }) => {
    const { budgetType, policy } = fieldsOf(fields["budget"]);
    return `${budgetType} ${policy}`;
  });
  return now === next && isAtMost(before.budget, after.budget);
}

export function nameOf({ change }: Pick<JudgedChange, "change">): string {
  return changeSubject(change);
}
