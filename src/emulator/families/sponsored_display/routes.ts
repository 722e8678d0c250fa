import { flatRoutes } from "../../entities/flat_routes.ts";
import type { Route } from "../../routing/route.ts";
import { DISPLAY_AD_GROUPS, DISPLAY_PRODUCT_ADS } from "./ad_groups.ts";
import { BRAND_SAFETY_ROUTES } from "./brand_safety.ts";
import { DISPLAY_CAMPAIGNS } from "./campaigns.ts";
import { DISPLAY_CREATIVE_ROUTES } from "./creatives.ts";
import { DISPLAY_LOCATION_ROUTES } from "./locations.ts";
import { DISPLAY_OPTIMIZATION_RULE_ROUTES } from "./optimization_rules.ts";
import { DISPLAY_RECOMMENDATION_ROUTES } from "./recommendations.ts";
import { DISPLAY_NEGATIVE_TARGETS, DISPLAY_TARGETS } from "./targets.ts";

export const SPONSORED_DISPLAY_ROUTES: readonly Route[] = [
  ...[DISPLAY_CAMPAIGNS, DISPLAY_AD_GROUPS, DISPLAY_PRODUCT_ADS, DISPLAY_TARGETS, DISPLAY_NEGATIVE_TARGETS]
    .flatMap(flatRoutes),
  ...DISPLAY_CREATIVE_ROUTES,
  ...DISPLAY_LOCATION_ROUTES,
  ...DISPLAY_OPTIMIZATION_RULE_ROUTES,
  ...DISPLAY_RECOMMENDATION_ROUTES,
  ...BRAND_SAFETY_ROUTES,
];
