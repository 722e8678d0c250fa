import type { ProfileScope } from "../../transport/profile_scope.ts";
import { Resource } from "../resource.ts";
import type { AdGroup, AdGroupUpdate, NewAdGroup } from "./ad_group.ts";
import { spAdGroups } from "./ad_groups_spec.ts";
import type {
  CampaignNegativeKeyword,
  CampaignNegativeKeywordUpdate,
  NewCampaignNegativeKeyword,
} from "./campaign_negative_keyword.ts";
import { spCampaignNegativeKeywords } from "./campaign_negative_keywords_spec.ts";
import type {
  CampaignNegativeTarget,
  CampaignNegativeTargetUpdate,
  NewCampaignNegativeTarget,
} from "./campaign_negative_target.ts";
import { spCampaignNegativeTargets } from "./campaign_negative_targets_spec.ts";
import { CampaignsResource } from "./campaigns_resource.ts";
import { KeywordsResource } from "./keywords_resource.ts";
import type { NegativeKeyword, NegativeKeywordUpdate, NewNegativeKeyword } from "./negative_keyword.ts";
import { spNegativeKeywords } from "./negative_keywords_spec.ts";
import { NegativeTargetsResource } from "./negative_targets_resource.ts";
import type { NewProductAd, ProductAd, ProductAdUpdate } from "./product_ad.ts";
import { spProductAds } from "./product_ads_spec.ts";
import { TargetsResource } from "./targets_resource.ts";

/**
 * The Sponsored Products resources of one profile.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function count(us: ProfileClient, campaignIds: string[]): Promise<void> {
 *   const adGroups = await us.sp.adGroups.list({ campaignIds });
 *   const keywords = await us.sp.keywords.list({ campaignIds, states: ["ENABLED"] });
 *   const targets = await us.sp.targets.list({ campaignIds });
 *   console.log(adGroups.length, keywords.length, targets.length);
 * }
 * ```
 */
export class SponsoredProducts {
  /** Campaigns, and what the platform says and does about their budgets. */
  readonly campaigns: CampaignsResource;
  /** Ad groups. */
  readonly adGroups: Resource<AdGroup, NewAdGroup, AdGroupUpdate>;
  /** Keywords, and which the platform recommends. */
  readonly keywords: KeywordsResource;
  /** Targeting clauses: products, categories, automatic matches; and what there is to target. */
  readonly targets: TargetsResource;
  /** Negative keywords of ad groups. */
  readonly negativeKeywords: Resource<NegativeKeyword, NewNegativeKeyword, NegativeKeywordUpdate>;
  /** Negative targeting clauses of ad groups, and the brands that they can keep away. */
  readonly negativeTargets: NegativeTargetsResource;
  /** Negative keywords of campaigns. */
  readonly campaignNegativeKeywords: Resource<
    CampaignNegativeKeyword,
    NewCampaignNegativeKeyword,
    CampaignNegativeKeywordUpdate
  >;
  /** Negative targeting clauses of campaigns. */
  readonly campaignNegativeTargets: Resource<
    CampaignNegativeTarget,
    NewCampaignNegativeTarget,
    CampaignNegativeTargetUpdate
  >;
  /** Product ads. */
  readonly productAds: Resource<ProductAd, NewProductAd, ProductAdUpdate>;

  /**
   * Ties the resources to a profile.
   *
   * @param scope The profile and the way to it.
   */
  constructor(scope: ProfileScope) {
    this.campaigns = new CampaignsResource(scope);
    this.adGroups = new Resource(scope, spAdGroups);
    this.keywords = new KeywordsResource(scope);
    this.targets = new TargetsResource(scope);
    this.negativeKeywords = new Resource(scope, spNegativeKeywords);
    this.negativeTargets = new NegativeTargetsResource(scope);
    this.campaignNegativeKeywords = new Resource(scope, spCampaignNegativeKeywords);
    this.campaignNegativeTargets = new Resource(scope, spCampaignNegativeTargets);
    this.productAds = new Resource(scope, spProductAds);
  }
}
