import { BRANDS_AD_GROUPS } from "./sponsored_brands/ad_groups.ts";
import { AD_FORMAT_ROUTES, BRANDS_ADS } from "./sponsored_brands/ads.ts";
import { BRANDS_CAMPAIGNS } from "./sponsored_brands/campaigns.ts";
import { BRANDS_CREATIVE_ROUTES } from "./sponsored_brands/creatives.ts";
import { BRANDS_OPTIMIZATION_RULE_ROUTES } from "./sponsored_brands/optimization_rules.ts";
import { BRANDS_TARGETING_ROUTES } from "./sponsored_brands/targeting.ts";
import { BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS } from "./sponsored_brands/keyword_kind.ts";
import { keywordRoutes } from "./sponsored_brands/keyword_routes.ts";
import { BRANDS_TARGET_ROUTES } from "./sponsored_brands/target_routes.ts";
import { PORTFOLIO_ROUTES } from "./account/portfolio_routes.ts";
import { entityRoutes } from "../entities/entity_routes.ts";
import type { Route } from "../routing/route.ts";
import { flatRoutes } from "../entities/flat_routes.ts";
import { DISPLAY_AD_GROUPS, DISPLAY_PRODUCT_ADS } from "./sponsored_display/ad_groups.ts";
import { BRAND_SAFETY_ROUTES } from "./sponsored_display/brand_safety.ts";
import { DISPLAY_CAMPAIGNS } from "./sponsored_display/campaigns.ts";
import { DISPLAY_CREATIVE_ROUTES } from "./sponsored_display/creatives.ts";
import { DISPLAY_LOCATION_ROUTES } from "./sponsored_display/locations.ts";
import { DISPLAY_OPTIMIZATION_RULE_ROUTES } from "./sponsored_display/optimization_rules.ts";
import { DISPLAY_RECOMMENDATION_ROUTES } from "./sponsored_display/recommendations.ts";
import { DISPLAY_NEGATIVE_TARGETS, DISPLAY_TARGETS } from "./sponsored_display/targets.ts";
import { AD_GROUPS, PRODUCT_ADS } from "./sponsored_products/ad_groups.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS, KEYWORDS, NEGATIVE_KEYWORDS } from "./sponsored_products/keywords.ts";
import { CAMPAIGN_NEGATIVE_TARGETS, NEGATIVE_TARGETS, TARGETS } from "./sponsored_products/targets.ts";
import { CAMPAIGNS } from "./sponsored_products/campaigns.ts";
import { CAMPAIGN_BUDGET_ROUTES } from "./budgets/routes.ts";
import { SUGGESTED_BID_ROUTES } from "./sponsored_products/suggested_bids.ts";
import { TARGETING_RECOMMENDATION_ROUTES } from "./sponsored_products/recommendation_routes.ts";

const SPONSORED_BRANDS_ROUTES: readonly Route[] = [
  ...[BRANDS_CAMPAIGNS, BRANDS_AD_GROUPS, BRANDS_ADS].flatMap(entityRoutes),
  ...AD_FORMAT_ROUTES,
  ...BRANDS_CREATIVE_ROUTES,
  ...BRANDS_OPTIMIZATION_RULE_ROUTES,
  ...BRANDS_TARGETING_ROUTES,
  ...BRANDS_TARGET_ROUTES,
  ...[BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS].flatMap(keywordRoutes),
];

const SPONSORED_DISPLAY_ROUTES: readonly Route[] = [
  ...[DISPLAY_CAMPAIGNS, DISPLAY_AD_GROUPS, DISPLAY_PRODUCT_ADS, DISPLAY_TARGETS, DISPLAY_NEGATIVE_TARGETS]
    .flatMap(flatRoutes),
  ...DISPLAY_CREATIVE_ROUTES,
  ...DISPLAY_LOCATION_ROUTES,
  ...DISPLAY_OPTIMIZATION_RULE_ROUTES,
  ...DISPLAY_RECOMMENDATION_ROUTES,
  ...BRAND_SAFETY_ROUTES,
];

const SPONSORED_PRODUCTS_ROUTES: readonly Route[] = [
  CAMPAIGNS,
  AD_GROUPS,
  KEYWORDS,
  TARGETS,
  NEGATIVE_KEYWORDS,
  NEGATIVE_TARGETS,
  CAMPAIGN_NEGATIVE_KEYWORDS,
  CAMPAIGN_NEGATIVE_TARGETS,
  PRODUCT_ADS,
].flatMap(entityRoutes);

export const SPONSORED_ROUTES: readonly Route[] = [
  ...PORTFOLIO_ROUTES,
  ...SPONSORED_PRODUCTS_ROUTES,
  ...SPONSORED_BRANDS_ROUTES,
  ...SPONSORED_DISPLAY_ROUTES,
  ...SUGGESTED_BID_ROUTES,
  ...CAMPAIGN_BUDGET_ROUTES,
  ...TARGETING_RECOMMENDATION_ROUTES,
];
