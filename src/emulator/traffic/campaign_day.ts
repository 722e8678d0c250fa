import type { DaySpan } from "../core/day_span.ts";
import { Random } from "../core/random.ts";
import { type ClauseDay, type Click, CLICK_WEIGHTS, type Order, PLACEMENT_WEIGHTS } from "./clause_day.ts";
import { type Market, share } from "./market.ts";
import {
  effectiveBudget,
  type ServedAd,
  type ServedAdGroup,
  type ServedCampaign,
  type ServedClause,
} from "./served_campaign.ts";
import type { AdvertisedProducts } from "./vocabulary.ts";

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

const MAX_EAGERNESS = 4;

interface BidLift {
  readonly eagerness: number;
  /**
   * Ratio of the bid to its usual value at a moment, including rules and adjustments; `undefined` if it is 1 all day.
   */
  readonly ratioAt: ((moment: number, placement: number) => number) | undefined;
  readonly meanRatioAt: (moment: number) => number;
  readonly room: number;
}

/**
 * Returns how a clause's bid scales its usual traffic over a day. Changes to bids, rules and placement adjustments
 * take effect at the moment they are made. The usual traffic already includes the campaign's original adjustments, so
 * only later changes to them count.
 */
function bidLift(
  { campaign, adGroup, clause, span }: {
    readonly campaign: ServedCampaign;
    readonly adGroup: ServedAdGroup;
    readonly clause: ServedClause;
    readonly span: DaySpan;
  },
): BidLift {
  const { raise, premiums } = campaign;
  const bidAt = (moment: number): number => clause.bid.at(moment) ?? adGroup.defaultBid.at(moment);
  const bid = bidAt(span.start);
  const eagerness = eagernessOf(bid / clause.paceBid);
  const isMoved = clause.bid.changesWithin(span.start, span.end) ||
    (clause.bid.values().includes(undefined) && adGroup.defaultBid.changesWithin(span.start, span.end));
  const firsts = premiums.map((premium) => {
    const [first = 0, ...later] = premium.values();
    return later.some((one) => one !== first) ? first : undefined;
  });
  const hasOthers = firsts.some((first) => first !== undefined);
  if (raise === undefined && !isMoved && !hasOthers) {
    return { eagerness, ratioAt: undefined, meanRatioAt: () => 1, room: 0 };
  }
  const ratioAt = (moment: number, placement: number): number => {
    const premium = premiums[placement];
    const first = firsts[placement];
    const adjusted = premium === undefined || first === undefined
      ? 1
      : (100 + premium.at(moment)) / (100 + first);
    const raised = 1 + (raise?.(moment) ?? 0) / 100;
    return eagernessOf(raised * adjusted * bidAt(moment) / clause.paceBid) / eagerness;
  };
  const weight = PLACEMENT_WEIGHTS.reduce((sum, one) => sum + one, 0);
  const meanRatioAt = (moment: number): number =>
    hasOthers
      ? PLACEMENT_WEIGHTS.reduce((sum, one, placement) => sum + one * ratioAt(moment, placement), 0) / weight
      : ratioAt(moment, 0);
  return { eagerness, ratioAt, meanRatioAt, room: MAX_EAGERNESS / eagerness - 1 };
}

function eagernessOf(share: number): number {
  return Math.min(MAX_EAGERNESS, share ** 0.6);
}

const SAME_DAY = 0.62;

/** Fraction of purchases that is reported late, by up to four weeks. */
const LATE = 0.3;

const LATEST_DAYS = 27;
const USUAL_UNITS = 0.86 + 0.14 * 3;

interface Place {
  readonly campaign: ServedCampaign;
  readonly adGroup: ServedAdGroup;
  readonly clause: ServedClause;
  readonly span: DaySpan;
}

/** Draws clicks, ignoring budget limits and negatives. */
function drawClicks(
  place: Place,
  count: number,
  { market, asins: advertised, random }: { market: Market; asins: AdvertisedProducts; random: Random },
): Click[] {
  const { span, adGroup } = place;
  const asins = advertised(span.start);
  const clicks: Click[] = [];
  for (let index = 0; index < count; index++) {
    // A sequence of its own for each click: what is left out of one does not change the next.
    const dice = new Random(Math.floor(random.next() * 2 ** 32));
    const moment = Math.floor(span.start + ((dice.next() + dice.next()) / 2) * (span.end - span.start));
    const ads = adGroup.ads.filter(({ life }) => life.isOn(moment));
    if (ads.length === 0) continue;
    const placement = weighted(CLICK_WEIGHTS, dice.next());
    const ad = ads[Math.floor(dice.next() * ads.length)]!;
    const terms = place.clause.terms();
    const term = terms[Math.floor(terms.length * dice.next() ** 2)] ?? "";
    const cost = costOf(place, { moment, placement, market, generosity: dice.next() });
    const order = dice.chance(place.clause.orderRate)
      ? drawOrder(moment, { ad, asins, market, dice, value: place.clause.orderValue })
      : undefined;
    const pages = market.isAuthor && dice.chance(0.2) ? dice.integer(5, 320) : 0;
    const viewed = dice.chance(0.9);
    clicks.push({ moment, cost, placement, ad, term, viewed, order, pages });
  }
  return clicks;
}

function costOf(
  { campaign, adGroup, clause }: Place,
  click: { moment: number; placement: number; market: Market; generosity: number },
): number {
  const { moment, market } = click;
  const own = clause.bid.at(moment) ?? adGroup.defaultBid.at(moment);
  const bid = own * (1 + (campaign.raise?.(moment) ?? 0) / 100);
  const premium = 1 + (campaign.premiums[click.placement]?.at(moment) ?? 0) / 100;
  const share = clause.costShare === undefined
    ? premium * (0.5 + 0.45 * click.generosity)
    : Math.min(premium, clause.costShare * (0.75 + 0.5 * click.generosity));
  return Math.max(1, Math.floor(bid * share * market.unit));
}

function drawOrder(
  moment: number,
  { ad, asins, market, dice, value }: {
    ad: ServedAd;
    asins: readonly string[];
    market: Market;
    dice: Random;
    value: number | undefined;
  },
): Order {
  const lag = dice.chance(SAME_DAY) ? 0 : Math.floor(15 * dice.next() ** 1.6);
  const late = dice.chance(LATE) ? LATEST_DAYS * dice.next() : 0;
  const units = dice.chance(0.86) ? 1 : dice.integer(2, 4);
  const shown = ad.asins.length === 0 ? "" : dice.pick(ad.asins);
  const other = asins.length === 0 ? shown : dice.pick(asins);
  const promoted = shown !== "" && (dice.chance(0.72) || other === shown);
  const asin = promoted ? shown : other;
  return {
    lag,
    knownAt: moment + (lag + late) * DAY,
    units,
    sales: value === undefined
      ? units * market.priceOf(asin)
      : Math.round(units * (value / USUAL_UNITS) * market.unit),
    asin,
    promoted,
    newToBrand: dice.chance(0.44),
  };
}

function weighted(weights: readonly number[], dice: number): number {
  let rest = dice * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(0, weights.findIndex((weight) => (rest -= weight) < 0));
}
