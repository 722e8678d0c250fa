import { portfolios } from "../../resources/portfolios/portfolios_spec.ts";
import type { ResourceSpec } from "../../resources/resource_spec.ts";
import { sbAdGroups } from "../../resources/sb/sb_ad_groups_spec.ts";
import { sbAds } from "../../resources/sb/sb_ads_spec.ts";
import { sbCampaigns } from "../../resources/sb/sb_campaigns_spec.ts";
import { sbKeywords } from "../../resources/sb/sb_keywords_spec.ts";
import { sbNegativeKeywords } from "../../resources/sb/sb_negative_keywords_spec.ts";
import { spAdGroups } from "../../resources/sp/ad_groups_spec.ts";
import { spCampaignNegativeKeywords } from "../../resources/sp/campaign_negative_keywords_spec.ts";
import { spCampaignNegativeTargets } from "../../resources/sp/campaign_negative_targets_spec.ts";
import { spCampaigns } from "../../resources/sp/campaigns_spec.ts";
import { spKeywords } from "../../resources/sp/keywords_spec.ts";
import { spNegativeKeywords } from "../../resources/sp/negative_keywords_spec.ts";
import { spNegativeTargets } from "../../resources/sp/negative_targets_spec.ts";
import { spProductAds } from "../../resources/sp/product_ads_spec.ts";
import { spTargets } from "../../resources/sp/targets_spec.ts";

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
