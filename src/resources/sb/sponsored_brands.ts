import type { ProfileScope } from "../../transport/profile_scope.ts";
import { Resource } from "../resource.ts";
import type { NewSbAdGroup, SbAdGroup, SbAdGroupUpdate } from "./sb_ad_group.ts";
import { sbAdGroups } from "./sb_ad_groups_spec.ts";
import type { NewSbAd, SbAd, SbAdUpdate } from "./sb_ad.ts";
import { sbAds } from "./sb_ads_spec.ts";
import type { NewSbCampaign, SbCampaign, SbCampaignUpdate } from "./sb_campaign.ts";
import { sbCampaigns } from "./sb_campaigns_spec.ts";
import type { NewSbKeyword, SbKeyword, SbKeywordUpdate } from "./sb_keyword.ts";
import { sbKeywords } from "./sb_keywords_spec.ts";
import type {
  NewSbNegativeKeyword,
  SbNegativeKeyword,
  SbNegativeKeywordUpdate,
} from "./sb_negative_keyword.ts";
import { sbNegativeKeywords } from "./sb_negative_keywords_spec.ts";

/**
 * The Sponsored Brands resources of one profile.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function ads(us: ProfileClient): Promise<void> {
 *   for await (const campaign of us.sb.campaigns.iter({ states: ["ENABLED"] })) {
 *     const ads = await us.sb.ads.list({ campaignIds: [campaign.campaignId] });
 *     console.log(campaign.name, campaign.budget, ads.length);
 *   }
 * }
 * ```
 */
export class SponsoredBrands {
  /** Campaigns. */
  readonly campaigns: Resource<SbCampaign, NewSbCampaign, SbCampaignUpdate>;
  /** Ad groups. */
  readonly adGroups: Resource<SbAdGroup, NewSbAdGroup, SbAdGroupUpdate>;
  /** Ads; `adFormat` of a new one chooses where it is created. */
  readonly ads: Resource<SbAd, NewSbAd, SbAdUpdate>;
  /** Keywords. */
  readonly keywords: Resource<SbKeyword, NewSbKeyword, SbKeywordUpdate>;
  /** Negative keywords. */
  readonly negativeKeywords: Resource<SbNegativeKeyword, NewSbNegativeKeyword, SbNegativeKeywordUpdate>;

  /**
   * Ties the resources to a profile.
   *
   * @param scope The profile and the way to it.
   */
  constructor(scope: ProfileScope) {
    this.campaigns = new Resource(scope, sbCampaigns);
    this.adGroups = new Resource(scope, sbAdGroups);
    this.ads = new Resource(scope, sbAds);
    this.keywords = new Resource(scope, sbKeywords);
    this.negativeKeywords = new Resource(scope, sbNegativeKeywords);
  }
}
