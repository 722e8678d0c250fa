import { portfolios } from "../resources/portfolios/portfolios.ts";
import type { ResourceSpec } from "../resources/resource_spec.ts";
import { sbAdGroups } from "../resources/sb/sb_ad_groups.ts";
import { sbAds } from "../resources/sb/sb_ads.ts";
import { sbCampaigns } from "../resources/sb/sb_campaigns.ts";
import { sbKeywords } from "../resources/sb/sb_keywords.ts";
import { sbNegativeKeywords } from "../resources/sb/sb_negative_keywords.ts";
import { spAdGroups } from "../resources/sp/ad_groups.ts";
import { spCampaignNegativeKeywords } from "../resources/sp/campaign_negative_keywords.ts";
import { spCampaignNegativeTargets } from "../resources/sp/campaign_negative_targets.ts";
import { spCampaigns } from "../resources/sp/campaigns.ts";
import { spKeywords } from "../resources/sp/keywords.ts";
import { spNegativeKeywords } from "../resources/sp/negative_keywords.ts";
import { spNegativeTargets } from "../resources/sp/negative_targets.ts";
import { spProductAds } from "../resources/sp/product_ads.ts";
import { spTargets } from "../resources/sp/targets.ts";

const SPECS: ReadonlyMap<string, ResourceSpec> = new Map(
  [
    spCampaigns,
    spAdGroups,
    spKeywords,
    spTargets,
    spNegativeKeywords,
    spNegativeTargets,
    spCampaignNegativeKeywords,
    spCampaignNegativeTargets,
    spProductAds,
    sbCampaigns,
    sbAdGroups,
    sbAds,
    sbKeywords,
    sbNegativeKeywords,
    portfolios,
  ].map((spec) => [spec.kind, spec]),
);

/** What distinguishes a kind of entity; lets a file be checked before anybody logs in. */
export function entitySpec(kind: string): ResourceSpec {
  return SPECS.get(kind)!;
}
