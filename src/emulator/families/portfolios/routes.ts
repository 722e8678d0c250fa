import { entityRoutes } from "../../entities/entity_routes.ts";
import { PORTFOLIOS } from "./portfolios.ts";
import type { Route } from "../../routing/route.ts";

/** List, create and update of portfolios. */
export const PORTFOLIO_ROUTES: readonly Route[] = entityRoutes(PORTFOLIOS);
