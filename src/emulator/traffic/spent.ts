import type { ProfileState } from "../state/profile_state.ts";
import { campaignDay } from "./campaign_day.ts";
import { daySpans, eachDay } from "../core/day_span.ts";
import { Market } from "./market.ts";
import { type Family, readCampaigns } from "./read_campaigns.ts";
import type { ServedCampaign } from "./served_campaign.ts";
import { advertisedProducts } from "./vocabulary.ts";

/** Campaigns and days. */
interface SpentWhere {
  readonly seed: string;
  /** Present moment, epoch milliseconds. */
  readonly asOf: number;
  readonly family: Family;
  /** First and last day, `YYYY-MM-DD`. */
  readonly days: readonly [start: string, end: string];
  /** Selects campaigns. */
  readonly of: (campaign: ServedCampaign) => boolean;
}

/** A campaign's cost, in the currency. */
interface Spent {
  readonly campaign: ServedCampaign;
  /** Cost of the clicks. */
  readonly cost: number;
}

/** Cost of campaigns, equal to the reports of these days. */
export function spent(profile: ProfileState, { seed, asOf, family, days, of }: SpentWhere): Spent[] {
  const market = new Market(profile, { seed, asOf });
  const asins = advertisedProducts(profile);
  const spans = daySpans(eachDay(...days), market.timeZone);
  return readCampaigns(profile, family, market).filter(of).map((campaign) => {
    const clicks = spans.flatMap((span) => campaignDay(campaign, span, { market, asins }))
      .flatMap(({ clauses }) => clauses.flatMap((clause) => clause.clicks));
    return { campaign, cost: clicks.reduce((sum, click) => sum + click.cost, 0) / market.unit };
  });
}
