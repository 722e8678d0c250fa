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
} from "./kinds/sp_resources.ts";
export type {
  AdGroup,
  AdGroupUpdate,
  NewAdGroup,
  NewProductAd,
  ProductAd,
  ProductAdUpdate,
} from "./model/sp_entities.ts";
export type {
  BudgetRecommendation,
  BudgetRule,
  BudgetRuleDetails,
  BudgetRuleEvent,
  CampaignDraft,
  InitialBudget,
  MissedOpportunities,
  SpecialEvent,
} from "./model/sp_budgets.ts";
export type {
  Campaign,
  CampaignFields,
  CampaignUpdate,
  DynamicBidding,
  NewCampaign,
  PlacementBid,
} from "./model/sp_entities.ts";
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
} from "./model/global_entities.ts";
export type {
  GlobalCampaign,
  GlobalCampaignFields,
  GlobalCampaignUpdate,
  MarketplaceCampaign,
  NewGlobalCampaign,
} from "./model/global_entities.ts";
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
} from "./model/sp_entities.ts";
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
} from "./model/sp_recommendations.ts";
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
} from "./model/sp_entities.ts";
export { SponsoredProducts } from "./families.ts";
