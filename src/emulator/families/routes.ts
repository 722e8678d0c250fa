import type { Route } from "../routing/route.ts";
import { CAMPAIGN_BUDGET_ROUTES } from "./budgets/routes.ts";
import { EXPORT_ROUTES } from "./exports/routes.ts";
import { HISTORY_ROUTES } from "./history/routes.ts";
import { INVOICE_ROUTES } from "./billing/routes.ts";
import { LABEL_ROUTES } from "./labels/routes.ts";
import { PORTFOLIO_ROUTES } from "./portfolios/routes.ts";
import { PROFILE_ROUTES } from "./profiles/routes.ts";
import { REPORT_ROUTES } from "./reports/routes.ts";
import { REPORTING_1_ROUTES } from "./reporting1/routes.ts";
import { SPONSORED_BRANDS_ROUTES } from "./sponsored_brands/routes.ts";
import { SPONSORED_DISPLAY_ROUTES } from "./sponsored_display/routes.ts";
import { SPONSORED_PRODUCTS_ROUTES } from "./sponsored_products/routes.ts";
import { STREAM_ROUTES } from "./streams/routes.ts";
import { SUGGESTED_BID_ROUTES } from "./bids/routes.ts";
import { TARGETING_RECOMMENDATION_ROUTES } from "./recommendations/routes.ts";
import { UNIFIED_ROUTES } from "./unified/routes.ts";

/** Every operation the emulator serves. Add a family's list here. */
export const ROUTES: readonly Route[] = [
  ...PROFILE_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...SPONSORED_PRODUCTS_ROUTES,
  ...SPONSORED_BRANDS_ROUTES,
  ...SPONSORED_DISPLAY_ROUTES,
  ...SUGGESTED_BID_ROUTES,
  ...HISTORY_ROUTES,
  ...REPORT_ROUTES,
  ...REPORTING_1_ROUTES,
  ...LABEL_ROUTES,
  ...EXPORT_ROUTES,
  ...CAMPAIGN_BUDGET_ROUTES,
  ...TARGETING_RECOMMENDATION_ROUTES,
  ...UNIFIED_ROUTES,
  ...INVOICE_ROUTES,
  ...STREAM_ROUTES,
];
