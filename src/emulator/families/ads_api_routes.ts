import type { Route } from "../routing/route.ts";
import { LABEL_ROUTES } from "./account/label_routes.ts";
import { ACCOUNT_RECOMMENDATION_ROUTE } from "./account/account_recommendations.ts";
import { REPORTING_1_ROUTES } from "./reporting1/routes.ts";
import { UNIFIED_ROUTES } from "./unified_routes.ts";
import { EVENT_ROUTES } from "./long_jobs/upload_routes.ts";

export const ADS_API_ROUTES: readonly Route[] = [
  ...REPORTING_1_ROUTES,
  ...LABEL_ROUTES,
  ACCOUNT_RECOMMENDATION_ROUTE,
  ...UNIFIED_ROUTES,
  ...EVENT_ROUTES,
];
