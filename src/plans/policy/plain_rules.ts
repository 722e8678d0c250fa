import { percentText } from "../../base/text/money_text.ts";
import { quotedName } from "../../base/text/visible_text.ts";
import { spellKind } from "../../platform/catalog/kind_names.ts";
import { decimalsOf, normalizeCountry } from "../../base/markets/markets.ts";
import { adjustmentsOf, bidFactor } from "../state/amounts.ts";
import { isCampaignKind, known, NOT_READ, Unread } from "../model/prior_state.ts";
import { entityFacts } from "./entity_facts.ts";
import { type JudgedChange, kindsOf, mayRaiseSpend, placeIds, relativeMove } from "./judged_change.ts";
import type { ChangeRule, PlainContext, PlainFinding } from "./change_rule.ts";
import { coolingRule } from "./cooling_rule.ts";
import { movesBelow } from "./moved_today.ts";
import { namePattern } from "./name_pattern.ts";
import type { Amounts, PolicyDocument } from "./policy_document.ts";
import type { MarketMoment } from "./market_moment.ts";
import type { WriteTotals } from "../state/day_totals.ts";

export function changeRules(policy: PolicyDocument): ChangeRule[] {
  return [
    kindRule(policy),
    protectRule(policy),
    bidRule(policy.max_bid),
    effectiveBidRule(policy.max_effective_bid),
    budgetRule(policy.max_budget),
    moveRule("max_increase", policy.max_increase, "an increase"),
    moveRule("max_decrease", policy.max_decrease, "a decrease"),
    adjustmentRule(policy.max_placement_adjustment),
    coolingRule(policy.cooling),
    scheduleFactorRule(policy.max_schedule_factor),
    scheduleHoursRule(policy.schedule_hours),
  ].filter((rule) => rule !== undefined);
}

function scheduleFactorRule(max: number | undefined): ChangeRule | undefined {
  if (max === undefined) return undefined;
  return ({ change: { evidence } }) =>
    evidence?.factor === undefined || evidence.factor <= max ? undefined : {
      rule: "max_schedule_factor",
      message: `the factor ${evidence.factor} of a schedule is above ${max}`,
      allowed: `up to ${max}`,
    };
}

/** Hours in which schedules may raise something above its base. Returning to a base is always allowed. */
function scheduleHoursRule(hours: PolicyDocument["schedule_hours"]): ChangeRule | undefined {
  if (hours === undefined) return undefined;
  return ({ change: { evidence, op } }, { moment }) => {
    // Rules of the platform hold for a week and not for this hour.
    if (evidence?.factor === undefined || evidence.factor <= 1 || op === "call") return undefined;
    return isWithin(hours, moment) ? undefined : {
      rule: "schedule_hours",
      message:
        `it is ${moment.weekday} ${moment.time} in ${moment.timeZone}, when schedules may not exceed the base`,
      allowed: hoursText(hours),
    };
  };
}

function isWithin({ from, to, days }: Hours, { time, weekday }: MarketMoment): boolean {
  // From 22:00 to 06:00 is a night.
  const open = from < to ? time >= from && time < to : time >= from || time < to;
  return open && (days?.includes(weekday) ?? true);
}

function hoursText({ from, to, days }: Hours): string {
  return `${from} to ${to}${days === undefined ? "" : ` on ${days.join(", ")}`}`;
}

type Hours = NonNullable<PolicyDocument["hours"]>;

function kindRule({ allow_kinds: allowed }: PolicyDocument): ChangeRule | undefined {
  if (allowed === undefined) return undefined;
  const kinds = new Set(allowed);
  return ({ op, whole: { change } }) =>
    op === "call" || kinds.has(change.kind) ? undefined : {
      rule: "allow_kinds",
      message: `${spellKind(change.kind)} is not a kind that may be changed`,
      allowed: allowed.map(spellKind).join(", "),
    };
}

function protectRule({ protect }: PolicyDocument): ChangeRule | undefined {
  if (protect === undefined) return undefined;
  const ids = new Set(protect.ids);
  const kinds = new Set(protect.kinds);
  const labels = new Set(protect.labels);
  const names = (protect.names ?? []).map((pattern) => ({ pattern, matches: namePattern(pattern) }));
  const found = (message: string): PlainFinding => ({ rule: "protect", message });
  return (judged) => {
    const { step, before, campaign, campaignUnknown, campaignIsNew } = judged;
    const kind = kindsOf(judged).find((one) => kinds.has(one));
    if (kind !== undefined) return found(`${spellKind(kind)} is protected`);
    const id = placeIds(step).find((one) => ids.has(one));
    if (id !== undefined) return found(`${id} is protected`);
    // What the plan itself creates is not there yet to be protected.
    const isNew = campaignIsNew || judged.op === "create" && campaign === judged.after;
    const subjects = [before, ...(campaign && !isNew ? [campaign] : [])];
    const label = subjects.flatMap((subject) => subject.labels).find((one) => labels.has(one));
    if (label !== undefined) return found(`the label "${label}" is protected`);
    const places = [step.adGroup, ...step.portfolios];
    const placeNames = places.flatMap((place) =>
      place === undefined || place instanceof Unread
        ? []
        : [entityFacts(place.kind, null, place.before ?? {})]
    );
    for (const { name } of [...subjects, ...placeNames]) {
      const by = names.find(({ matches }) => name !== undefined && matches(name));
      if (by !== undefined) {
        return found(`${quotedName(name ?? "")} is protected by the pattern "${by.pattern}"`);
      }
    }
    const asks = names.length + labels.size > 0;
    if ((asks || ids.size > 0) && step.before instanceof Unread) {
      return found(`it is unknown whether this is protected, because ${step.before.why}`);
    }
    // Offline, the ids that the plan names are all that is known of where an entity is.
    const isNamed = step.campaign === NOT_READ && idsInCampaign(judged);
    if (campaignUnknown && (asks || ids.size > 0 && !isNamed)) {
      return found("the campaign could not be read, so it is unknown whether it is protected");
    }
    // The ad group of a copy names the global one that it is a copy of.
    const isInCopy = campaign?.fields["globalCampaignId"] !== undefined && ids.size + labels.size > 0;
    const asked = names.length > 0 ? places : isInCopy ? [step.adGroup] : [];
    const unread = asked.find((place) => place instanceof Unread);
    if (unread !== undefined) return found(`it is unknown whether this is protected, because ${unread.why}`);
    return undefined;
  };
}

function idsInCampaign({ change, before, after }: JudgedChange): boolean {
  return (change.campaignId ?? before.campaignId ?? after.campaignId) !== undefined;
}

/** True for a new or changed bid or budget, and for an entity that starts to spend. */
function sets(judged: JudgedChange, field: "bid" | "budget"): boolean {
  const { op, before, after, step } = judged;
  return op === "create" || after[field] !== before[field] || step.wakes;
}

function overLimit(
  { rule, what, value, amounts }: { rule: string; what: string; value: number; amounts: Amounts },
  { countryCode, currency }: PlainContext,
): PlainFinding | undefined {
  const max = limitFor(amounts, countryCode);
  if (max === undefined) {
    return {
      rule,
      message: `no limit is set for market ${countryCode}`,
      hint: `Add ${countryCode} or default`,
    };
  }
  if (value <= max) return undefined;
  return {
    rule,
    message: `${what} ${Number(value.toFixed(4))} ${currency} is above ${max} ${currency}`,
    allowed: `up to ${max} ${currency}`,
  };
}

function unknownBid(rule: string, why: string): PlainFinding {
  const hint = "Set a bid of its own, or try again";
  return { rule, message: `the bid is unknown, because ${why}`, hint, isUnknown: true };
}

function bidRule(amounts: Amounts | undefined): ChangeRule | undefined {
  if (amounts === undefined) return undefined;
  const rule = "max_bid";
  return (judged, context) => {
    const { change, step, after, op } = judged;
    if (op === "archive" || op === "call") return undefined;
    if (after.unreadable.includes("bid")) {
      return { rule, message: "the bid is not a number", hint: "Give a plain decimal number" };
    }
    if (isCampaignKind(change.kind) || change.kind.endsWith(".ad_groups")) {
      const own = after.bid !== undefined && sets(judged, "bid")
        ? overLimit({ rule, what: "bid", value: after.bid, amounts }, context)
        : undefined;
      if (own !== undefined || op === "create" || !step.wakes) return own;
      if (step.bid.after instanceof Unread) return unknownBid(rule, step.bid.after.why);
      if (step.below === undefined) return undefined;
      if (step.below instanceof Unread) return unknownBid(rule, step.below.why);
      const { highestBid, of } = step.below;
      if (highestBid === undefined) return undefined;
      return overLimit({ rule, what: `this starts ${of}, whose bid`, value: highestBid, amounts }, context);
    }
    if (
      !sets(judged, "bid") ||
      step.after["state"] !== undefined && after.state !== "ENABLED" && after.bid === undefined
    ) {
      return undefined;
    }
    if (step.bid.after instanceof Unread) return unknownBid(rule, step.bid.after.why);
    if (step.bid.after === undefined) return undefined;
    const what = after.bid === undefined ? "the ad group's bid" : "bid";
    return overLimit({ rule, what, value: step.bid.after, amounts }, context);
  };
}

function effectiveBidRule(amounts: Amounts | undefined): ChangeRule | undefined {
  if (amounts === undefined) return undefined;
  const rule = "max_effective_bid";
  return (judged, context) => {
    const { change, step, op } = judged;
    if (op === "archive" || op === "call") return undefined;
    const limit = (bid: number, factor: number, of: string): PlainFinding | undefined =>
      overLimit({ rule, what: `with placements and strategy, ${of}`, value: bid * factor, amounts }, context);
    if (isCampaignKind(change.kind)) {
      if (op === "create") return undefined;
      const { before: was } = step;
      if (was instanceof Unread) {
        return step.wakes || movesBelow(step) ? unknownBid(rule, was.why) : undefined;
      }
      if (!step.wakes && bidFactor(was) === bidFactor(step.after)) return undefined;
      if (step.below === undefined || step.below instanceof Unread) {
        if (!step.wakes && bidFactor(step.after) < bidFactor(was)) return undefined;
        return unknownBid(rule, step.below?.why ?? "its child entities were not read");
      }
      const { highestBid, of } = step.below;
      return highestBid === undefined
        ? undefined
        : limit(highestBid, bidFactor(step.after), `the bid of ${of}`);
    }
    if (step.bid.after === undefined || !sets(judged, "bid")) return undefined;
    const { campaign } = step;
    if (step.bid.after instanceof Unread) return unknownBid(rule, step.bid.after.why);
    if (campaign === undefined || campaign instanceof Unread) {
      return unknownBid(rule, campaign?.why ?? "its campaign is not named");
    }
    const below = step.below instanceof Unread ? undefined : step.below?.highestBid;
    const factor = Math.max(bidFactor(campaign.after), campaign.isSure ? 0 : bidFactor(campaign.before));
    return limit(Math.max(step.bid.after, below ?? 0), factor, "the bid");
  };
}

function budgetRule(amounts: Amounts | undefined): ChangeRule | undefined {
  if (amounts === undefined) return undefined;
  const rule = "max_budget";
  return (judged, context) => {
    const { change, step, after, op } = judged;
    if (op === "archive" || !isCampaignKind(change.kind)) return undefined;
    if (after.unreadable.includes("budget")) {
      return { rule, message: "the budget is not a number", hint: "Give a plain decimal number" };
    }
    if (after.budget === undefined && step.before instanceof Unread && step.wakes) {
      return { rule, message: `the budget is unknown, because ${step.before.why}` };
    }
    if (after.budget === undefined || !sets(judged, "budget")) return undefined;
    return overLimit({ rule, what: "budget", value: after.budget, amounts }, context);
  };
}

function moveRule(
  rule: string,
  share: number | undefined,
  way: "an increase" | "a decrease",
): ChangeRule | undefined {
  if (share === undefined) return undefined;
  return (judged, day) => {
    const move = relativeMove(judged, { ...day, lowest: way === "a decrease" }) ?? 0;
    if (move instanceof Unread) {
      const message = `the size of the change is unknown, because ${move.why}`;
      return { rule, message, isUnknown: way === "an increase" };
    }
    const moved = way === "an increase" ? move : -move;
    // A sum such as 1.1 * 0.5 carries binary noise: 30 % allowed must allow 30.000000000000004 %.
    if (moved <= share + 1e-9) return undefined;
    const percent = Number.isFinite(moved) ? percentText(moved) : "without end";
    return {
      rule,
      message: `${way}${
        percent === "without end" ? "" : " of"
      } ${percent} since the start of the day is above ${percentText(share)}`,
      allowed: `up to ${percentText(share)}`,
    };
  };
}

function adjustmentRule(share: number | undefined): ChangeRule | undefined {
  if (share === undefined) return undefined;
  const rule = "max_placement_adjustment";
  return ({ op, change, step }) => {
    if (op === "archive" || !isCampaignKind(change.kind)) return undefined;
    const before = adjustmentsOf(known(step.before));
    for (const [list, adjustments] of adjustmentsOf(step.after)) {
      for (const [key, percent] of adjustments) {
        if (Number.isNaN(percent)) return { rule, message: "a percentage is not a number" };
        if (percent / 100 <= share || percent === before.get(list)?.get(key)) continue;
        return {
          rule,
          message: `a bid adjustment of ${percent} % is above ${share * 100} %`,
          allowed: `up to ${share * 100} %`,
        };
      }
    }
    return undefined;
  };
}

function limitFor(amounts: Amounts, countryCode: string): number | undefined {
  return typeof amounts === "number" ? amounts : amounts[normalizeCountry(countryCode)] ?? amounts["default"];
}

export function planFindings(
  policy: Pick<
    PolicyDocument,
    "max_changes" | "max_archives" | "max_spend_increase_per_day" | "hours" | "freeze"
  >,
  context: {
    readonly day: WriteTotals;
    readonly moment: MarketMoment;
    readonly countryCode: string;
    readonly currency: string;
    readonly judged: readonly JudgedChange[];
  },
): PlainFinding[] {
  const { day, moment, countryCode, currency, judged } = context;
  const found: PlainFinding[] = [];
  const count = (rule: string, value: number, max: number | undefined, what: string): void => {
    if (max === undefined || value <= max) return;
    found.push({
      rule,
      message: `${value} ${what} today including this plan; at most ${max} are allowed`,
    });
  };
  count("max_changes", day.changes, policy.max_changes, "changes");
  count("max_archives", day.archives, policy.max_archives, "archives");
  // What lowers spend is never held back by what others added, or by what is unknown of them.
  if (policy.max_spend_increase_per_day !== undefined && judged.some(mayRaiseSpend)) {
    const rule = "max_spend_increase_per_day";
    const max = limitFor(policy.max_spend_increase_per_day, countryCode);
    if (max === undefined) {
      found.push({
        rule,
        message: `no limit is set for market ${countryCode}`,
        hint: `Add ${countryCode} or default`,
      });
    } else if (day.spendIncrease === undefined) {
      found.push({
        rule,
        message: "the increase in daily spend is unknown",
        hint: foreignHint(judged) ??
          "Sync a report store and name it, so that the clicks on these bids are known",
      });
    } else if (day.spendIncrease > max) {
      found.push({
        rule,
        message: `up to ${
          day.spendIncrease.toFixed(decimalsOf(countryCode))
        } ${currency} more a day, including plans applied today; at most ${max} ${currency} are allowed`,
        allowed: `up to ${max} ${currency}`,
      });
    }
  }
  const { hours } = policy;
  if (hours !== undefined) {
    if (!isWithin(hours, moment)) {
      found.push({
        rule: "hours",
        message: `it is ${moment.weekday} ${moment.time} in ${moment.timeZone}`,
        allowed: hoursText(hours),
      });
    }
  }
  const freeze = policy.freeze?.find(({ from, to }) => moment.day >= from && moment.day <= to);
  if (freeze !== undefined) {
    const why = freeze.reason === undefined ? "" : `: ${freeze.reason}`;
    found.push({ rule: "freeze", message: `changes are frozen from ${freeze.from} to ${freeze.to}${why}` });
  }
  return found;
}

function foreignHint(judged: readonly JudgedChange[]): string | undefined {
  const foreign = judged.flatMap(({ step: { market } }) => market?.isForeign ? [market.currency] : []);
  if (foreign.length === 0) return undefined;
  const currencies = [...new Set(foreign)].join(", ");
  return `No exchange rate is known for ${currencies}: change these marketplaces in their own profiles`;
}
