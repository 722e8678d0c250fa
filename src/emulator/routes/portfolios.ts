import { productRoutes } from "../products/product_routes.ts";
import { PORTFOLIOS } from "../products/resources/portfolios.ts";
import type { Route } from "../route.ts";

/** List, create and update of portfolios. */
export const PORTFOLIO_ROUTES: readonly Route[] = productRoutes(PORTFOLIOS);
