import { RESOURCE_METHODS } from "../../../catalog/resource_kinds.ts";

/**
 * The operations that a hand-written method serves, with the name of that method.
 *
 * Names are as a reader writes them behind a profile's client (`sp.keywords.list` is `us.sp.keywords.list`);
 * those that begin with `PlatformAds.` are on the account-level client.
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
