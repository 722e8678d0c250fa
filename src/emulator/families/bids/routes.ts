import { recommendBids } from "./recommend_bids.ts";
import type { Route } from "../../routing/route.ts";

const TYPES = ["v5", "v4", "v3"].map((version) =>
  `application/vnd.spthemebasedbidrecommendation.${version}+json`
);

/** Suggested bids of Sponsored Products. */
export const SUGGESTED_BID_ROUTES: readonly Route[] = [{
  operation: "sponsored-products:GetThemeBasedBidRecommendationForAdGroup_v1",
  method: "POST",
  path: "/sp/targets/bid/recommendations",
  requestTypes: TYPES,
  responseTypes: TYPES,
  typedErrors: true,
  errors: "details",
  handle: recommendBids,
}];
