import { BRANDS_AD_GROUPS } from "../brands/ad_groups.ts";
import { AD_FORMAT_ROUTES, BRANDS_ADS } from "../brands/ads.ts";
import { BRANDS_CAMPAIGNS } from "../brands/campaigns.ts";
import { BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS } from "../brands/keyword_kind.ts";
import { keywordRoutes } from "../brands/keyword_routes.ts";
import { productRoutes } from "../products/product_routes.ts";
import type { Route } from "../route.ts";

/** Sponsored Brands: campaigns, ad groups and ads of version 4, keywords and negative keywords of version 3. */
export const SPONSORED_BRANDS_ROUTES: readonly Route[] = [
  ...[BRANDS_CAMPAIGNS, BRANDS_AD_GROUPS, BRANDS_ADS].flatMap(productRoutes),
  ...AD_FORMAT_ROUTES,
  ...[BRANDS_KEYWORDS, BRANDS_NEGATIVE_KEYWORDS].flatMap(keywordRoutes),
];
