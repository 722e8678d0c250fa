/**
 * Sponsored Display: what `mod.ts` of the library exports of it.
 *
 * @module
 */
export type { NewSdAdGroup, SdAdGroup, SdAdGroupUpdate } from "./entities/sd_ad_group.ts";
export type { NewSdCampaign, SdCampaign, SdCampaignUpdate } from "./entities/sd_campaign.ts";
export { SdCampaignsResource } from "./sd_campaigns_resource.ts";
export type { SdExtendedData } from "./entities/sd_extended_data.ts";
export type {
  NewSdNegativeTarget,
  SdNegativeTarget,
  SdNegativeTargetUpdate,
} from "./entities/sd_negative_target.ts";
export type { SdPredicate } from "./entities/sd_predicate.ts";
export type { NewSdProductAd, SdProductAd, SdProductAdUpdate } from "./entities/sd_product_ad.ts";
export type { SdState } from "./entities/sd_state.ts";
export type { NewSdTarget, SdTarget, SdTargetUpdate } from "./entities/sd_target.ts";
export { SponsoredDisplay } from "./sponsored_display.ts";
