/**
 * Sponsored Display: entities, and inputs to create and update them.
 *
 * @module
 */
export type {
  NewSdAdGroup as NewAdGroup,
  NewSdCampaign as NewCampaign,
  NewSdNegativeTarget as NewNegativeTarget,
  NewSdProductAd as NewProductAd,
  NewSdTarget as NewTarget,
  SdAdGroup as AdGroup,
  SdAdGroupUpdate as AdGroupUpdate,
  SdCampaign as Campaign,
  SdCampaignUpdate as CampaignUpdate,
  SdExtendedData as ExtendedData,
  SdNegativeTarget as NegativeTarget,
  SdNegativeTargetUpdate as NegativeTargetUpdate,
  SdPredicate as Predicate,
  SdProductAd as ProductAd,
  SdProductAdUpdate as ProductAdUpdate,
  SdState as State,
  SdTarget as Target,
  SdTargetUpdate as TargetUpdate,
} from "./model/sd_entities.ts";
export { SdCampaignsResource } from "./kinds/sd_kinds.ts";
export { SponsoredDisplay } from "./families.ts";
