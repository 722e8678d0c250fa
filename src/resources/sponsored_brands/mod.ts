/**
 * Sponsored Brands: what `mod.ts` of the library exports of it.
 *
 * @module
 */
export { SB_AD_FORMATS, type SbAdFormat } from "./sb_ad_format.ts";
export type {
  NewSbAd,
  SbAd,
  SbAdUpdate,
  SbCreative,
  SbCrop,
  SbImage,
  SbLandingPage,
  SbSubpage,
} from "./sb_ad.ts";
export type { NewSbAdGroup, SbAdGroup, SbAdGroupUpdate } from "./sb_ad_group.ts";
export type { SbBidding, SbPlacementAdjustment } from "./sb_bidding.ts";
export type { NewSbCampaign, SbCampaign, SbCampaignUpdate } from "./sb_campaign.ts";
export type { SbExtendedData } from "./sb_extended_data.ts";
export type { NewSbKeyword, SbKeyword, SbKeywordUpdate } from "./sb_keyword.ts";
export type {
  NewSbNegativeKeyword,
  SbNegativeKeyword,
  SbNegativeKeywordUpdate,
} from "./sb_negative_keyword.ts";
export type {
  NewSbNegativeTarget,
  SbNegativeTarget,
  SbNegativeTargetUpdate,
} from "./targets/sb_negative_target.ts";
export type { SbPredicate } from "./targets/sb_predicate.ts";
export type { NewSbTarget, SbTarget, SbTargetUpdate } from "./targets/sb_target.ts";
export { SponsoredBrands } from "./sponsored_brands.ts";
