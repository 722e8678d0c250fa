/**
 * Sponsored Brands: entities, and inputs to create and update them.
 *
 * @module
 */
export {
  type NewSbAd as NewAd,
  SB_AD_FORMATS,
  type SbAd as Ad,
  type SbAdFormat as AdFormat,
  type SbAdUpdate as AdUpdate,
  type SbCreative as Creative,
  type SbCrop as Crop,
  type SbImage as Image,
  type SbLandingPage as LandingPage,
  type SbSubpage as Subpage,
} from "./model/sb_ads.ts";
export type {
  NewSbAdGroup as NewAdGroup,
  NewSbCampaign as NewCampaign,
  SbAdGroup as AdGroup,
  SbAdGroupUpdate as AdGroupUpdate,
  SbBidding as Bidding,
  SbCampaign as Campaign,
  SbCampaignUpdate as CampaignUpdate,
  SbExtendedData as ExtendedData,
  SbPlacementAdjustment as PlacementAdjustment,
} from "./model/sb_entities.ts";
export type {
  NewSbKeyword as NewKeyword,
  NewSbNegativeKeyword as NewNegativeKeyword,
  SbKeyword as Keyword,
  SbKeywordUpdate as KeywordUpdate,
  SbNegativeKeyword as NegativeKeyword,
  SbNegativeKeywordUpdate as NegativeKeywordUpdate,
} from "./model/sb_entities.ts";
export type {
  NewSbNegativeTarget as NewNegativeTarget,
  NewSbTarget as NewTarget,
  SbNegativeTarget as NegativeTarget,
  SbNegativeTargetUpdate as NegativeTargetUpdate,
  SbPredicate as Predicate,
  SbTarget as Target,
  SbTargetUpdate as TargetUpdate,
} from "./model/sb_entities.ts";
export { SponsoredBrands } from "./families.ts";
