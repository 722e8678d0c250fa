/**
 * Sponsored Products: entities, inputs to create and update them, and responses of other operations.
 *
 * @module
 */
export type { AudienceSegment, ShopperCohortBid } from "./model/entity_fields.ts";
export {
  CampaignsResource,
  KeywordsResource,
  type LocaleOptions,
  NegativeTargetsResource,
  TargetsResource,
} from "./sponsored_products/sp_resources.ts";
export type {
  AdGroup,
  AdGroupUpdate,
  NewAdGroup,
  NewProductAd,
  ProductAd,
  ProductAdUpdate,
} from "./sponsored_products/entities/ad_groups.ts";
export type {
  BudgetRecommendation,
  BudgetRule,
  BudgetRuleDetails,
  BudgetRuleEvent,
  CampaignDraft,
  InitialBudget,
  MissedOpportunities,
  SpecialEvent,
} from "./sponsored_products/entities/budgets.ts";
export type {
  Campaign,
  CampaignFields,
  CampaignUpdate,
  DynamicBidding,
  NewCampaign,
  PlacementBid,
} from "./sponsored_products/entities/campaigns.ts";
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
} from "./sponsored_products/entities/global_ad_groups.ts";
export type {
  GlobalCampaign,
  GlobalCampaignFields,
  GlobalCampaignUpdate,
  MarketplaceCampaign,
  NewGlobalCampaign,
} from "./sponsored_products/entities/global_campaigns.ts";
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
} from "./sponsored_products/entities/keywords.ts";
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
} from "./sponsored_products/entities/recommendations.ts";
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
} from "./sponsored_products/entities/targets.ts";
export { SponsoredProducts } from "./families.ts";
