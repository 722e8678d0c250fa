import { entityRoutes } from "../../entities/entity_routes.ts";
import { AD_GROUPS, PRODUCT_ADS } from "./ad_groups.ts";
import { CAMPAIGN_NEGATIVE_KEYWORDS, KEYWORDS, NEGATIVE_KEYWORDS } from "./keywords.ts";
import { CAMPAIGN_NEGATIVE_TARGETS, NEGATIVE_TARGETS, TARGETS } from "./targets.ts";
import { CAMPAIGNS } from "./campaigns.ts";
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
