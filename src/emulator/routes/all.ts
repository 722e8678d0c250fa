import type { Route } from "../route.ts";
import { CAMPAIGN_BUDGET_ROUTES } from "./campaign_budgets.ts";
import { EXPORT_ROUTES } from "./exports.ts";
import { HISTORY_ROUTES } from "./history.ts";
import { INVOICE_ROUTES } from "./invoices.ts";
import { PORTFOLIO_ROUTES } from "./portfolios.ts";
import { PROFILE_ROUTES } from "./profiles.ts";
import { REPORT_ROUTES } from "./reports.ts";
import { SPONSORED_BRANDS_ROUTES } from "./sponsored_brands.ts";
import { SPONSORED_PRODUCTS_ROUTES } from "./sponsored_products.ts";
import { SUGGESTED_BID_ROUTES } from "./suggested_bids.ts";
import { TARGETING_RECOMMENDATION_ROUTES } from "./targeting_recommendations.ts";
import { UNIFIED_ROUTES } from "./unified.ts";

/** Every operation the emulator serves. Add a family's list here. */
export const ROUTES: readonly Route[] = [
  ...PROFILE_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...SPONSORED_PRODUCTS_ROUTES,
  ...SPONSORED_BRANDS_ROUTES,
  ...SUGGESTED_BID_ROUTES,
  ...HISTORY_ROUTES,
  ...REPORT_ROUTES,
  ...EXPORT_ROUTES,
  ...CAMPAIGN_BUDGET_ROUTES,
  ...TARGETING_RECOMMENDATION_ROUTES,
  ...UNIFIED_ROUTES,
  ...INVOICE_ROUTES,
];
