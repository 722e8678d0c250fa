/**
 * Sponsored Products: its entities, what creates and changes them, and the answers of its other operations.
 *
 * @module
 */
export type { AudienceSegment, ShopperCohortBid } from "../fields/entity_fields.ts";
export { CampaignsResource } from "./campaigns_resource.ts";
export type {
  AdGroup,
  AdGroupUpdate,
  NewAdGroup,
  NewProductAd,
  ProductAd,
  ProductAdUpdate,
} from "./entities/ad_groups.ts";
export type {
  BudgetRecommendation,
  BudgetRule,
  BudgetRuleDetails,
  BudgetRuleEvent,
  CampaignDraft,
  InitialBudget,
  MissedOpportunities,
  SpecialEvent,
} from "./entities/budgets.ts";
export type {
  Campaign,
  CampaignFields,
  CampaignUpdate,
  DynamicBidding,
  NewCampaign,
  PlacementBid,
} from "./entities/campaigns.ts";
export type {
  GlobalAdGroup,
  GlobalAdGroupFields,
  GlobalAdGroupUpdate,
  GlobalProductAd,
  GlobalProductAdFields,
  GlobalProductAdUpdate,
  GlobalTarget,
  GlobalTargetFields,
  GlobalTargetUpdate,
  MarketplaceAdGroup,
  MarketplaceProductAd,
  MarketplaceTarget,
  NewGlobalAdGroup,
  NewGlobalProductAd,
  NewGlobalTarget,
} from "./entities/global_ad_groups.ts";
export type {
  GlobalCampaign,
  GlobalCampaignFields,
  GlobalCampaignUpdate,
  MarketplaceCampaign,
  NewGlobalCampaign,
} from "./entities/global_campaigns.ts";
export type {
  CampaignNegativeKeyword,
  CampaignNegativeKeywordUpdate,
  Keyword,
  KeywordUpdate,
  NegativeKeyword,
  NegativeKeywordUpdate,
  NewCampaignNegativeKeyword,
  NewKeyword,
  NewNegativeKeyword,
} from "./entities/keywords.ts";
export type {
  CategoryRecommendation,
  CategoryRefinements,
  CountRange,
  KeywordBidInfo,
  KeywordRecommendation,
  KeywordRecommendationRequest,
  NamedId,
  ProductFilter,
  ProductRecommendations,
} from "./entities/recommendations.ts";
export {
  asin,
  type CampaignNegativeTarget,
  type CampaignNegativeTargetUpdate,
  type NegativeTarget,
  type NegativeTargetUpdate,
  type NewCampaignNegativeTarget,
  type NewNegativeTarget,
  type NewTarget,
  type Target,
  type TargetingPredicate,
  type TargetUpdate,
} from "./entities/targets.ts";
export { KeywordsResource } from "./keywords_resource.ts";
export { NegativeTargetsResource } from "./negative_targets_resource.ts";
export { SponsoredProducts } from "./sponsored_products.ts";
export { type LocaleOptions, TargetsResource } from "./targets_resource.ts";
