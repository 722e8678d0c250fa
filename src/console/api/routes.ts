import type { Route } from "../http/route.ts";
import { CONSOLE_ROUTES } from "./console_routes.ts";
import { PLAN_ROUTES } from "./plan_routes.ts";

/** Every operation of the API. Signing in is apart: it needs no session. */
export const ROUTES: readonly Route[] = [...CONSOLE_ROUTES, ...PLAN_ROUTES];
