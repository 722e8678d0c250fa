import { entityRoutes } from "../../entities/entity_routes.ts";
import type { Route } from "../../routing/route.ts";
import { BRANDS_AD_GROUPS } from "./ad_groups.ts";
import { AD_FORMAT_ROUTES, BRANDS_ADS } from "./ads.ts";
import { BRANDS_CAMPAIGNS } from "./campaigns.ts";
import { BRANDS_CREATIVE_ROUTES } from "./creatives.ts";
import { BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS } from "./keyword_kind.ts";
import { keywordRoutes } from "./keyword_routes.ts";
import { BRANDS_OPTIMIZATION_RULE_ROUTES } from "./optimization_rules.ts";
import { BRANDS_TARGET_ROUTES } from "./target_routes.ts";
import { BRANDS_TARGETING_ROUTES } from "./targeting.ts";

export const SPONSORED_BRANDS_ROUTES: readonly Route[] = [
  ...[BRANDS_CAMPAIGNS, BRANDS_AD_GROUPS, BRANDS_ADS].flatMap(entityRoutes),
  ...AD_FORMAT_ROUTES,
  ...BRANDS_CREATIVE_ROUTES,
  ...BRANDS_OPTIMIZATION_RULE_ROUTES,
  ...BRANDS_TARGETING_ROUTES,
  ...BRANDS_TARGET_ROUTES,
  ...[BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS].flatMap(keywordRoutes),
];
