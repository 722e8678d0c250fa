/**
 * Sponsored Display: what `mod.ts` of the library exports of it.
 *
 * @module
 */
export type { NewSdAdGroup, SdAdGroup, SdAdGroupUpdate } from "./entities.ts";
export type { NewSdCampaign, SdCampaign, SdCampaignUpdate } from "./entities.ts";
export { SdCampaignsResource } from "./sd_campaigns_spec.ts";
export type { SdExtendedData } from "./entities.ts";
export type { NewSdNegativeTarget, SdNegativeTarget, SdNegativeTargetUpdate } from "./entities.ts";
export type { SdPredicate } from "./entities.ts";
export type { NewSdProductAd, SdProductAd, SdProductAdUpdate } from "./entities.ts";
export type { SdState } from "./entities.ts";
export type { NewSdTarget, SdTarget, SdTargetUpdate } from "./entities.ts";
export { SponsoredDisplay } from "./sponsored_display.ts";
