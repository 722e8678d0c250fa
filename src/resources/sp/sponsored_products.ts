import type { ProfileScope } from "../../transport/profile_scope.ts";
import { Resource } from "../resource.ts";
import type { AdGroup } from "./ad_group.ts";
import { spAdGroups } from "./ad_groups.ts";
import type { Campaign } from "./campaign.ts";
import type { CampaignNegativeKeyword } from "./campaign_negative_keyword.ts";
import { spCampaignNegativeKeywords } from "./campaign_negative_keywords.ts";
import type { CampaignNegativeTarget } from "./campaign_negative_target.ts";
import { spCampaignNegativeTargets } from "./campaign_negative_targets.ts";
import { spCampaigns } from "./campaigns.ts";
import type { Keyword } from "./keyword.ts";
import { spKeywords } from "./keywords.ts";
import type { NegativeKeyword } from "./negative_keyword.ts";
import { spNegativeKeywords } from "./negative_keywords.ts";
import type { NegativeTarget } from "./negative_target.ts";
import { spNegativeTargets } from "./negative_targets.ts";
import type { ProductAd } from "./product_ad.ts";
import { spProductAds } from "./product_ads.ts";
import type { Target } from "./target.ts";
import { spTargets } from "./targets.ts";

/** The Sponsored Products resources of one profile. */
export class SponsoredProducts {
  /** Campaigns. */
  readonly campaigns: Resource<Campaign>;
  /** Ad groups. */
  readonly adGroups: Resource<AdGroup>;
  /** Keywords. */
  readonly keywords: Resource<Keyword>;
  /** Targeting clauses: products, categories, automatic matches. */
  readonly targets: Resource<Target>;
  /** Negative keywords of ad groups. */
  readonly negativeKeywords: Resource<NegativeKeyword>;
  /** Negative targeting clauses of ad groups. */
  readonly negativeTargets: Resource<NegativeTarget>;
  /** Negative keywords of campaigns. */
  readonly campaignNegativeKeywords: Resource<CampaignNegativeKeyword>;
  /** Negative targeting clauses of campaigns. */
  readonly campaignNegativeTargets: Resource<CampaignNegativeTarget>;
  /** Product ads. */
  readonly productAds: Resource<ProductAd>;

  /**
   * Ties the resources to a profile.
   *
   * @param scope The profile and the way to it.
   */
  constructor(scope: ProfileScope) {
    this.campaigns = new Resource(scope, spCampaigns);
    this.adGroups = new Resource(scope, spAdGroups);
    this.keywords = new Resource(scope, spKeywords);
    this.targets = new Resource(scope, spTargets);
    this.negativeKeywords = new Resource(scope, spNegativeKeywords);
    this.negativeTargets = new Resource(scope, spNegativeTargets);
    this.campaignNegativeKeywords = new Resource(scope, spCampaignNegativeKeywords);
    this.campaignNegativeTargets = new Resource(scope, spCampaignNegativeTargets);
    this.productAds = new Resource(scope, spProductAds);
  }
}
