import { productRoutes } from "../products/product_routes.ts";
import { AD_GROUPS } from "../products/resources/ad_groups.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS } from "../products/resources/campaign_negative_keywords.ts";
import { CAMPAIGN_NEGATIVE_TARGETS } from "../products/resources/campaign_negative_targets.ts";
import { CAMPAIGNS } from "../products/resources/campaigns.ts";
import { KEYWORDS } from "../products/resources/keywords.ts";
import { NEGATIVE_KEYWORDS } from "../products/resources/negative_keywords.ts";
import { NEGATIVE_TARGETS } from "../products/resources/negative_targets.ts";
import { PRODUCT_ADS } from "../products/resources/product_ads.ts";
import { TARGETS } from "../products/resources/targets.ts";
import type { Route } from "../route.ts";

/** List, create, update and archive of the nine Sponsored Products resources. */
export const SPONSORED_PRODUCTS_ROUTES: readonly Route[] = [
  CAMPAIGNS,
  AD_GROUPS,
  KEYWORDS,
  TARGETS,
  NEGATIVE_KEYWORDS,
  NEGATIVE_TARGETS,
  CAMPAIGN_NEGATIVE_KEYWORDS,
  CAMPAIGN_NEGATIVE_TARGETS,
  PRODUCT_ADS,
].flatMap(productRoutes);
