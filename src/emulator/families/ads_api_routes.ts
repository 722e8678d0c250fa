import type { Route } from "../routing/route.ts";
import { LABEL_ROUTES } from "./labels/routes.ts";
import { ACCOUNT_RECOMMENDATION_ROUTE } from "./recommendations/account_recommendations.ts";
import { REPORTING_1_ROUTES } from "./reporting1/routes.ts";
import { UNIFIED_ROUTES } from "./unified/routes.ts";

/** Every operation whose path begins with `/adsApi`. */
export const ADS_API_ROUTES: readonly Route[] = [
  ...REPORTING_1_ROUTES,
  ...LABEL_ROUTES,
  ACCOUNT_RECOMMENDATION_ROUTE,
  ...UNIFIED_ROUTES,
];
