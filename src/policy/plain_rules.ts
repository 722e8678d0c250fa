import { type JudgedChange, relativeMove } from "./judged_change.ts";
import { namePattern } from "./name_pattern.ts";
import type { DayTotals } from "../plans/day/day_totals.ts";
import type { Amounts, PolicyDocument } from "./policy_document.ts";
import type { MarketMoment } from "./market_moment.ts";
import type { WriteTotals } from "../plans/day/day_totals.ts";

/** What a plain key of a policy found. */
export interface PlainFinding {
  /** The key, for example `max_bid`. */
  readonly rule: string;
  readonly message: string;
  readonly allowed?: string;
  readonly hint?: string;
}

/** What the plain keys judge by, beside the change. */
export interface PlainContext {
  readonly countryCode: string;
  readonly currency: string;
  readonly today: DayTotals;
}

/** A plain key that judges one change. */
export type ChangeRule = (judged: JudgedChange, context: PlainContext) => PlainFinding | undefined;

/** The plain keys of a policy that judge changes one by one, in the order of the documentation. */
export function changeRules(policy: PolicyDocument): ChangeRule[] {
  return [
    kindRule(policy),
    protectRule(policy),
    amountRule("max_bid", "bid", policy.max_bid),
    amountRule("max_budget", "budget", policy.max_budget),
    moveRule("max_increase", policy.max_increase, "an increase"),
    moveRule("max_decrease", policy.max_decrease, "a decrease"),
    adjustmentRule(policy.max_placement_adjustment),
  ].filter((rule) => rule !== undefined);
}

function kindRule({ allow_kinds: allowed }: PolicyDocument): ChangeRule | undefined {
  if (allowed === undefined) return undefined;
  const kinds = new Set(allowed);
  return ({ change, op }) =>
    op === "call" || kinds.has(change.kind) ? undefined : {
      rule: "allow_kinds",
      message: `${change.kind} is not a kind that may be changed`,
      allowed: allowed.join(", "),
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
    const { change, before, campaign, campaignUnknown, campaignIsNew } = judged;
    if (kinds.has(change.kind)) return found(`${change.kind} is protected`);
    const own = [
      change.id,
      judged.before.campaignId,
      judged.after.campaignId,
      change.campaignId,
      judged.before.adGroupId,
      judged.after.adGroupId,
      before.portfolioId,
      campaign?.portfolioId,
      campaign?.id,
    ];
    const id = own.find((one) => typeof one === "string" && ids.has(one));
    if (id !== undefined) return found(`${id} is protected`);
    // What the plan itself creates is not there yet to be protected.
    const isNew = campaignIsNew || judged.op === "create" && campaign === judged.after;
    const subjects = [before, ...(campaign && !isNew ? [campaign] : [])];
    for (const subject of subjects) {
      const label = subject.labels.find((one) => labels.has(one));
      if (label !== undefined) return found(`the label "${label}" is protected`);
      const name = names.find(({ matches }) => subject.name !== undefined && matches(subject.name));
      if (name !== undefined) return found(`"${subject.name}" is protected by the pattern "${name.pattern}"`);
    }
    if (campaignUnknown && names.length + labels.size > 0) {
      return found("the campaign could not be read, so that nobody knows whether it is protected");
    }
    return undefined;
  };
}

function amountRule(
  rule: string,
  field: "bid" | "budget",
  amounts: Amounts | undefined,
): ChangeRule | undefined {
  if (amounts === undefined) return undefined;
  return (judged, { countryCode, currency }) => {
    const { change, after, before } = judged;
    if (judged.op === "archive" || (field === "budget" && !change.kind.endsWith(".campaigns"))) {
      return undefined;
    }
    if (after.unreadable.includes(field)) {
      return { rule, message: `the ${field} is not a number`, hint: "Give a plain decimal number" };
    }
    const max = limitFor(amounts, countryCode);
    const value = after[field];
    if (value === undefined || (judged.op === "update" && value === before[field] && !wakes(judged))) {
      return undefined;
    }
    if (max === undefined) {
      return {
        rule,
        message: `no limit is set for market ${countryCode}`,
        hint: `Add ${countryCode} or default`,
      };
    }
    return value > max
      ? {
        rule,
        message: `${field} ${value} ${currency} is above ${max} ${currency}`,
        allowed: `up to ${max} ${currency}`,
      }
      : undefined;
  };
}

/** Enabling a paused entity spends at the bid and budget that it has, as if they were set now. */
function wakes({ before, after }: JudgedChange): boolean {
  return before.state !== after.state && after.state === "ENABLED";
}

function moveRule(
  rule: string,
  share: number | undefined,
  way: "an increase" | "a decrease",
): ChangeRule | undefined {
  if (share === undefined) return undefined;
  return (judged, { today }) => {
    const move = judged.op === "update" ? relativeMove(judged, today) ?? 0 : 0;
    const moved = way === "an increase" ? move : -move;
    // A sum such as 1.1 * 0.5 carries binary noise: 30 % allowed must allow 30.000000000000004 %.
    if (moved <= share + 1e-9) return undefined;
    const percent = Number.isFinite(moved) ? `${(moved * 100).toFixed(1)} %` : "from 0";
    return {
      rule,
      message: `${way} of ${percent} since the start of the day is above ${(share * 100).toFixed(1)} %`,
      allowed: `up to ${(share * 100).toFixed(1)} %`,
    };
  };
}

function adjustmentRule(share: number | undefined): ChangeRule | undefined {
  if (share === undefined) return undefined;
  return ({ op, before, after }) => {
    if (after.unreadable.includes("percentage")) {
      return { rule: "max_placement_adjustment", message: "a percentage is not a number" };
    }
    if (op === "archive" || after.adjustment === undefined || after.adjustment === before.adjustment) {
      return undefined;
    }
    return after.adjustment > share
      ? {
        rule: "max_placement_adjustment",
        message: `a bid adjustment of ${after.adjustment * 100} % is above ${share * 100} %`,
        allowed: `up to ${share * 100} %`,
      }
      : undefined;
  };
}

/** The amount that holds in a market. */
export function limitFor(amounts: Amounts, countryCode: string): number | undefined {
  return typeof amounts === "number" ? amounts : amounts[countryCode] ?? amounts["default"];
}

/** What the plain keys that judge a plan as a whole found. `day` are the totals with those since midnight. */
export function planFindings(
  policy: PolicyDocument,
  context: {
    readonly day: WriteTotals;
    readonly moment: MarketMoment;
    readonly countryCode: string;
    readonly currency: string;
  },
): PlainFinding[] {
  const { day, moment, countryCode, currency } = context;
  const found: PlainFinding[] = [];
  const count = (rule: string, value: number, max: number | undefined, what: string): void => {
    if (max === undefined || value <= max) return;
    found.push({
      rule,
      message: `${value} ${what} today with those of this plan; at most ${max} are allowed`,
    });
  };
  count("max_changes", day.changes, policy.max_changes, "changes");
  count("max_archives", day.archives, policy.max_archives, "archives");
  if (policy.max_spend_increase_per_day !== undefined) {
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
        message: "how much more this spends a day is unknown",
        hint: "Sync a report store and name it, so that bids can be weighed by their clicks",
      });
    } else if (day.spendIncrease > max) {
      found.push({
        rule,
        message: `up to ${
          day.spendIncrease.toFixed(2)
        } ${currency} more a day with what was applied today; at most ${max} ${currency} are allowed`,
        allowed: `up to ${max} ${currency}`,
      });
    }
  }
  const { hours } = policy;
  if (hours !== undefined) {
    const { from, to } = hours;
    const { time } = moment;
    // From 22:00 to 06:00 is a night.
    const open = from < to ? time >= from && time < to : time >= from || time < to;
    const inside = open &&
      (hours.days?.includes(moment.weekday) ?? true);
    if (!inside) {
      found.push({
        rule: "hours",
        message: `it is ${moment.weekday} ${moment.time} in ${moment.timeZone}`,
        allowed: `${hours.from} to ${hours.to}${
          hours.days === undefined ? "" : ` on ${hours.days.join(", ")}`
        }`,
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
