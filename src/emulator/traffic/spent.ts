import type { ProfileState } from "../state/profile_state.ts";
import { campaignDay } from "./campaign_day.ts";
import { daySpans, eachDay } from "../core/day_span.ts";
import { Market } from "./market.ts";
import { type Family, readCampaigns } from "./read_campaigns.ts";
import type { ServedCampaign } from "./served_campaign.ts";
import { advertisedProducts } from "./vocabulary.ts";

interface SpentWhere {
  readonly seed: string;
  readonly asOf: number;
  readonly family: Family;
  readonly days: readonly [start: string, end: string];
  readonly of: (campaign: ServedCampaign) => boolean;
}

interface Spent {
  readonly campaign: ServedCampaign;
  readonly cost: number;
}

/** Spend of each campaign over some days, equal to the reports of those days. */
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
