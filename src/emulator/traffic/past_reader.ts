import type { ProfileState } from "../state/profile_state.ts";
import { campaignDay } from "./campaign_day.ts";
import { daySpan, eachDay } from "../core/day_span.ts";
import { Market } from "./market.ts";
import type { PastFigures } from "./rule_conditions.ts";
import type { ServedCampaign } from "./served_campaign.ts";
import { type AdvertisedProducts, advertisedProducts } from "./vocabulary.ts";

interface PastDay {
  readonly impressions: number;
  readonly clicks: number;
  readonly cost: number;
  readonly topShares: readonly number[];
  readonly orders: readonly {
    readonly knownAt: number;
    readonly sales: number;
    readonly newToBrand: boolean;
  }[];
}

/** Reads figures of past days. Rules may also depend on figures of earlier days, so each day is computed only once. */
export class PastReader {
  readonly #profile: ProfileState;
  readonly #market: Market;
  readonly #days = new Map<string, PastDay>();
  readonly #sums = new Map<string, PastFigures>();
  #asins: AdvertisedProducts | undefined;

  constructor(profile: ProfileState, { seed }: Pick<Market, "seed">) {
    this.#profile = profile;
    // What is over does not change any more.
    this.#market = new Market(profile, { seed, asOf: Number.MAX_SAFE_INTEGER });
  }

  figures(campaign: ServedCampaign, first: string, last: string): PastFigures {
    const key = `${campaign.id} ${first} ${last}`;
    let sums = this.#sums.get(key);
    if (sums === undefined) this.#sums.set(key, sums = this.#sum(campaign, first, last));
    return sums;
  }

  #sum(campaign: ServedCampaign, first: string, last: string): PastFigures {
    const days = eachDay(first, last).map((day) => this.#day(campaign, day));
    const { end } = daySpan(last, this.#market.timeZone);
    const orders = days.flatMap((day) => day.orders).filter(({ knownAt }) => knownAt <= end);
    const shares = days.flatMap(({ topShares }) => topShares);
    const total = (valueOf: (day: PastDay) => number): number =>
      days.reduce((sum, day) => sum + valueOf(day), 0);
    return {
      impressions: total(({ impressions }) => impressions),
      clicks: total(({ clicks }) => clicks),
      cost: total(({ cost }) => cost) / this.#market.unit,
      orders: orders.length,
      sales: orders.reduce((sum, { sales }) => sum + sales, 0) / this.#market.unit,
      newToBrand: orders.filter(({ newToBrand }) => newToBrand).length,
      topShare: shares.reduce((sum, one) => sum + one, 0) / shares.length,
    };
  }

  #day(campaign: ServedCampaign, day: string): PastDay {
    const key = `${campaign.id} ${day}`;
    let found = this.#days.get(key);
    if (found === undefined) {
      const market = this.#market;
      const asins = this.#asins ??= advertisedProducts(this.#profile);
      const clauses = campaignDay(campaign, daySpan(day, market.timeZone), { market, asins })
        .flatMap((group) => group.clauses);
      const clicks = clauses.flatMap((clause) => clause.clicks);
      found = {
        impressions: clauses.reduce((sum, { impressions }) => sum + impressions, 0),
        clicks: clicks.length,
        cost: clicks.reduce((sum, { cost }) => sum + cost, 0),
        topShares: clauses.map(({ topShare }) => topShare),
        orders: clicks.flatMap(({ order }) => order ?? []),
      };
      this.#days.set(key, found);
    }
    return found;
  }
}
