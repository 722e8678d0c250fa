import { entityRoutes } from "../../entities/entity_routes.ts";
import { AD_GROUPS } from "./ad_groups.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS } from "./campaign_negative_keywords.ts";
import { CAMPAIGN_NEGATIVE_TARGETS } from "./campaign_negative_targets.ts";
import { CAMPAIGNS } from "./campaigns.ts";
import { KEYWORDS } from "./keywords.ts";
import { NEGATIVE_KEYWORDS } from "./negative_keywords.ts";
import { NEGATIVE_TARGETS } from "./negative_targets.ts";
import { PRODUCT_ADS } from "./product_ads.ts";
import { TARGETS } from "./targets.ts";
import type { Route } from "../../routing/route.ts";

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
].flatMap(entityRoutes);
