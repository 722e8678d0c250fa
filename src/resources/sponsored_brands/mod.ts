/**
 * Sponsored Brands: what `mod.ts` of the library exports of it.
 *
 * @module
 */
export { SB_AD_FORMATS, type SbAdFormat } from "./entities/ads.ts";
export type {
  NewSbAd,
  SbAd,
  SbAdUpdate,
  SbCreative,
  SbCrop,
  SbImage,
  SbLandingPage,
  SbSubpage,
} from "./entities/ads.ts";
export type { NewSbAdGroup, SbAdGroup, SbAdGroupUpdate } from "./entities/campaigns.ts";
export type { SbBidding, SbPlacementAdjustment } from "./entities/campaigns.ts";
export type { NewSbCampaign, SbCampaign, SbCampaignUpdate } from "./entities/campaigns.ts";
export type { SbExtendedData } from "./entities/campaigns.ts";
export type { NewSbKeyword, SbKeyword, SbKeywordUpdate } from "./entities/keywords.ts";
export type {
  NewSbNegativeKeyword,
  SbNegativeKeyword,
  SbNegativeKeywordUpdate,
} from "./entities/keywords.ts";
export type { NewSbNegativeTarget, SbNegativeTarget, SbNegativeTargetUpdate } from "./entities/targets.ts";
export type { SbPredicate } from "./entities/targets.ts";
export type { NewSbTarget, SbTarget, SbTargetUpdate } from "./entities/targets.ts";
export { SponsoredBrands } from "./sponsored_brands.ts";
