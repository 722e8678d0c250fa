import type { ClauseDay, Click } from "./clause_day.ts";
import type { DaySpan } from "../core/day_span.ts";
import { type Market, share } from "./market.ts";
import {
  effectiveBudget,
  type ServedAd,
  type ServedAdGroup,
  type ServedCampaign,
  type ServedClause,
} from "./served_campaign.ts";
import { Random } from "../core/random.ts";
import { bidLift } from "./bid_lift.ts";
import type { AdvertisedProducts } from "./vocabulary.ts";
import { drawClicks } from "./draw_clicks.ts";

export interface AdGroupDay {
  readonly adGroup: ServedAdGroup;
  readonly ads: readonly ServedAd[];
  readonly clauses: readonly ClauseDay[];
}

interface Draft {
  readonly adGroup: ServedAdGroup;
  readonly clause: ServedClause;
  readonly impressions: number;
  readonly clicks: readonly Click[];
}

const HOURS = 24;
const DAY = 86_400_000;
/**
 * Fraction of a day's impressions that is reported at its end, one day later and two days later; afterwards all are
 * reported.
 */
const KNOWN_SHOWINGS = [0.97, 0.985, 0.995];

/**
 * Generates a campaign's traffic for a day, deterministic for seed, day and moment. Paused parts get no traffic,
 * negatives block traffic, and a spent budget ends the day.
 */
export function campaignDay(
  campaign: ServedCampaign,
  span: DaySpan,
  { market, asins }: { market: Market; asins: AdvertisedProducts },
): AdGroupDay[] {
  if (!runsOn(campaign, span) || market.asOf <= span.start) return [];
  const drafts = campaign.adGroups.flatMap((adGroup) =>
    adGroup.clauses.flatMap((clause) => draft({ campaign, adGroup, clause, span }, { market, asins }) ?? [])
  );
  const { isPaid, shownShare } = spendBudget(drafts.flatMap(({ clicks }) => clicks), {
    campaign,
    span,
    market,
  });
  const known = KNOWN_SHOWINGS[Math.floor((market.asOf - span.end) / DAY)] ?? 1;

  const groups = new Map<ServedAdGroup, ClauseDay[]>();
  for (const { adGroup, clause, impressions, clicks } of drafts) {
    const paid = clicks.filter(isPaid);
    const shown = Math.max(paid.length, Math.round(impressions * shownShare * known));
    if (shown === 0) continue;
    const day = { clause, impressions: shown, clicks: paid, topShare: topShare(clause, span, market) };
    const days = groups.get(adGroup);
    if (days === undefined) groups.set(adGroup, [day]);
    else days.push(day);
  }
  const { start, end } = span;
  return [...groups].map(([adGroup, clauses]) => {
    const ads = adGroup.ads.filter(({ life }) => life.isOn(start) || life.turnsWithin(start, end));
    return { adGroup, ads, clauses };
  });
}

function runsOn(campaign: ServedCampaign, span: DaySpan): boolean {
  const { start, end } = span;
  const { life } = campaign;
  if (!isWithinDates(campaign, span, start) && !isWithinDates(campaign, span, end - 1)) return false;
  return life.isOn(start) || life.isOn(end - 1) || life.turnsWithin(start, end);
}

function isWithinDates({ startDay, endDay }: ServedCampaign, { day }: DaySpan, moment: number): boolean {
  const [today, first, last] = [day.replaceAll("-", ""), startDay.at(moment), endDay.at(moment)];
  return first <= today && (last === "" || today <= last);
}

function draft(
  place: { campaign: ServedCampaign; adGroup: ServedAdGroup; clause: ServedClause; span: DaySpan },
  { market, asins }: { market: Market; asins: AdvertisedProducts },
): Draft | undefined {
  const { campaign, adGroup, clause, span } = place;
  const hasNewDates = [campaign.startDay, campaign.endDay].some((each) =>
    each.changesWithin(span.start, span.end)
  );
  const isOn = (moment: number) =>
    moment <= market.asOf && (!hasNewDates || isWithinDates(campaign, span, moment)) &&
    campaign.life.isOn(moment) && adGroup.life.isOn(moment) &&
    clause.life.isOn(moment) && adGroup.ads.some(({ life }) => life.isOn(moment));
  const active = activeShare(place, { isOn, asOf: market.asOf, hasNewDates });
  if (active === 0) return undefined;

  const random = new Random(`${market.seed} ${clause.id} ${span.day}`);
  const lift = bidLift(place);
  const expected = clause.pace * lift.eagerness * seasonOf(span.day, market) * (0.6 + 0.8 * random.next());
  const clicks = drawClicks(place, poisson(expected * clause.clickRate, random), { market, asins, random });
  let shown = active;
  if (lift.ratioAt !== undefined) {
    const { ratioAt, meanRatioAt, room } = lift;
    const luck = (word: string, moment: number): number =>
      share(`${market.seed} ${clause.id} ${word} ${moment}`);
    // Clicks that are left out, and those that come on top, are chosen each by itself: what begins to be felt in the
    // afternoon changes no morning.
    const kept = clicks.filter(({ moment, placement }) =>
      ratioAt(moment, placement) >= 1 || luck("lowered", moment) < ratioAt(moment, placement)
    );
    const more = new Random(`${market.seed} ${clause.id} ${span.day} raised`);
    const added = room <= 0
      ? []
      : drawClicks(place, poisson(room * expected * clause.clickRate, more), { market, asins, random: more })
        .filter(({ moment, placement }) => luck("raised", moment) < (ratioAt(moment, placement) - 1) / room);
    clicks.splice(0, clicks.length, ...kept, ...added);
    shown += meanOf(span, (moment) => isOn(moment) ? meanRatioAt(moment) - 1 : 0);
  }
  const allowed = clicks.filter(({ moment, term }) =>
    isOn(moment) && !adGroup.blocked.some((each) => each.life.isOn(moment) && each.blocks(term, moment))
  );
  return { adGroup, clause, impressions: Math.round(expected * shown), clicks: allowed };
}

function meanOf({ start, end }: DaySpan, valueAt: (moment: number) => number): number {
  let sum = 0;
  for (let hour = 0; hour < HOURS; hour++) sum += valueAt(start + ((hour + 0.5) / HOURS) * (end - start));
  return sum / HOURS;
}

/**
 * Fraction of the day during which a keyword or target is active, 0 to 1; computed hourly only on days with changes.
 */
function activeShare(
  { campaign, adGroup, clause, span }: {
    campaign: ServedCampaign;
    adGroup: ServedAdGroup;
    clause: ServedClause;
    span: DaySpan;
  },
  { isOn, asOf, hasNewDates }: { isOn: (moment: number) => boolean; asOf: number; hasNewDates: boolean },
): number {
  const { start, end } = span;
  const lives = [campaign.life, adGroup.life, clause.life, ...adGroup.ads.map(({ life }) => life)];
  if (asOf >= end && !hasNewDates && !lives.some((life) => life.turnsWithin(start, end))) {
    return isOn(start) ? 1 : 0;
  }
  return meanOf(span, (moment) => isOn(moment) ? 1 : 0);
}

const seasons = new WeakMap<Market, Map<string, number>>();

function seasonOf(day: string, market: Market): number {
  let known = seasons.get(market);
  if (known === undefined) seasons.set(market, known = new Map());
  let season = known.get(day);
  if (season === undefined) known.set(day, season = readSeason(day, market));
  return season;
}

function readSeason(day: string, { levels }: Market): number {
  const date = new Date(`${day}T00:00:00Z`);
  if (levels !== undefined) return levels.weekdays[date.getUTCDay()] ?? 1;
  const weekend = [0, 6].includes(date.getUTCDay()) ? 1.18 : 1;
  const year = (date.getUTCMonth() * 30.4 + date.getUTCDate()) / 365;
  return weekend * (1 + 0.15 * Math.cos(2 * Math.PI * (year - 0.92)));
}

function topShare(clause: ServedClause, { day }: DaySpan, { seed }: Market): number {
  return 2 + 55 * share(`${seed} top ${clause.id}`) * (0.8 + 0.2 * share(`${seed} top ${clause.id} ${day}`));
}

function poisson(expected: number, random: Random): number {
  if (expected > 30) {
    const bell = random.next() + random.next() + random.next() + random.next() - 2;
    return Math.max(0, Math.round(expected + Math.sqrt(3 * expected) * bell));
  }
  const limit = Math.exp(-expected);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count++;
  return count;
}

interface SpentBudget {
  readonly isPaid: (click: Click) => boolean;
  readonly shownShare: number;
}

/** After the first unaffordable click the campaign is out of budget until the budget increases. */
function spendBudget(
  clicks: readonly Click[],
  { campaign, span, market }: {
    readonly campaign: ServedCampaign;
    readonly span: DaySpan;
    readonly market: Market;
  },
): SpentBudget {
  const { start, end } = span;
  const { dailyBudget, budgetRaise } = campaign;
  const fixed = budgetRaise === undefined && !dailyBudget.changesWithin(start, end)
    ? dailyBudget.at(Math.min(end - 1, market.asOf)) * market.unit
    : undefined;
  const unpaid = new Set<Click>();
  let spent = 0;
  let shown = 0;
  let since = start;
  let out: { readonly budget: number } | undefined;
  for (const click of clicks.toSorted((a, b) => a.moment - b.moment)) {
    const budget = fixed ?? effectiveBudget(campaign, click.moment) * market.unit;
    if (out !== undefined && budget > out.budget) {
      out = undefined;
      since = click.moment;
    }
    if (out === undefined && spent + click.cost > budget) {
      out = { budget };
      shown += click.moment - since;
    }
    if (out === undefined) spent += click.cost;
    else unpaid.add(click);
  }
  if (unpaid.size === 0) return { isPaid: () => true, shownShare: 1 };
  if (out === undefined) shown += end - since;
  return { isPaid: (click) => !unpaid.has(click), shownShare: Math.max(0.05, shown / (end - start)) };
}
