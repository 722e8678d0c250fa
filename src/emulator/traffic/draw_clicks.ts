import { Random } from "../core/random.ts";
import { type Click, CLICK_WEIGHTS, type Order } from "./clause_day.ts";
import type { DaySpan } from "../core/day_span.ts";
import type { Market } from "./market.ts";
import type { ServedAd, ServedAdGroup, ServedCampaign, ServedClause } from "./served_campaign.ts";
import type { AdvertisedProducts } from "./vocabulary.ts";

const DAY = 86_400_000;
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
export function drawClicks(
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
