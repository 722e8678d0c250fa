import { RESOURCE_METHODS } from "../../../catalog/resource_kinds.ts";

/**
 * Names follow a profile's client (`sp.keywords.list` is `us.sp.keywords.list`); those starting with `PlatformAds.`
 * are account-level.
 */
export const TYPED_OPERATIONS: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(RESOURCE_METHODS),
  ["sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1", "bids.forAdGroup"],
  ["profiles:listProfiles", "PlatformAds.profiles"],
  ["profiles:getProfileById", "PlatformAds.profileById"],
  ["profiles:updateProfiles", "PlatformAds.updateProfiles"],
  ["reporting:createAsyncReport", "reports.create"],
  ["reporting:getAsyncReport", "reports.status"],
  ["reporting:deleteAsyncReport", "reports.delete"],
  ["history:getHistory", "history.events"],
]);
