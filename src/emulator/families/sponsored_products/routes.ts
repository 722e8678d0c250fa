import { entityRoutes } from "../../entities/entity_routes.ts";
import type { Route } from "../../routing/route.ts";
import { AD_GROUPS, PRODUCT_ADS } from "./ad_groups.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS, KEYWORDS, NEGATIVE_KEYWORDS } from "./keywords.ts";
import { TARGETING_RECOMMENDATION_ROUTES } from "./recommendation_routes.ts";
import { SUGGESTED_BID_ROUTES } from "./suggested_bids.ts";
import { CAMPAIGN_NEGATIVE_TARGETS, NEGATIVE_TARGETS, TARGETS } from "./targets.ts";

export const SPONSORED_PRODUCTS_ROUTES: readonly Route[] = [
  ...[
    CAMPAIGNS,
    AD_GROUPS,
    KEYWORDS,
    TARGETS,
    NEGATIVE_KEYWORDS,
    NEGATIVE_TARGETS,
    CAMPAIGN_NEGATIVE_KEYWORDS,
    CAMPAIGN_NEGATIVE_TARGETS,
    PRODUCT_ADS,
  ].flatMap(entityRoutes),
  ...SUGGESTED_BID_ROUTES,
  ...TARGETING_RECOMMENDATION_ROUTES,
];
