import type { Route } from "../http/route.ts";
import { ACCOUNT_ROUTES } from "./account_routes.ts";
import { CONSOLE_ROUTES } from "./console_routes.ts";
import { DRAFT_ROUTES } from "./draft_routes.ts";
import { DRIFT_ROUTES } from "./drift_routes.ts";
import { EMULATOR_ROUTES } from "./emulator_routes.ts";
import { EXPERIMENT_ROUTES } from "./experiment_routes.ts";
import { FIGURE_ROUTES } from "./figure_routes.ts";
import { GRID_ROUTES } from "./grid_routes.ts";
import { INBOX_ROUTES } from "./inbox_routes.ts";
import { OPERATION_ROUTES } from "./operation_routes.ts";
import { OVERVIEW_ROUTES } from "./overview_routes.ts";
import { PACING_ROUTES } from "./pacing_routes.ts";
import { PLAN_ROUTES } from "./plan_routes.ts";
import { PLANNING_ROUTES } from "./planning_routes.ts";
import { ROLLOUT_ROUTES } from "./rollout_routes.ts";
import { SCHEDULE_ROUTES } from "./schedule_routes.ts";
import { SERVICE_ROUTES } from "./service_routes.ts";
import { STORE_ROUTES } from "./store_routes.ts";
import { TERMS_ROUTES } from "./terms_routes.ts";
import { SYNC_ROUTES } from "./sync_routes.ts";
import { VIEW_ROUTES } from "./view_routes.ts";

export const ROUTES: readonly Route[] = [
  ...CONSOLE_ROUTES,
  ...OVERVIEW_ROUTES,
  ...INBOX_ROUTES,
  ...PLAN_ROUTES,
  ...ROLLOUT_ROUTES,
  ...PLANNING_ROUTES,
  ...TERMS_ROUTES,
  ...SCHEDULE_ROUTES,
  ...PACING_ROUTES,
  ...EXPERIMENT_ROUTES,
  ...FIGURE_ROUTES,
  ...STORE_ROUTES,
  ...SYNC_ROUTES,
  ...ACCOUNT_ROUTES,
  ...GRID_ROUTES,
  ...DRAFT_ROUTES,
  ...VIEW_ROUTES,
  ...DRIFT_ROUTES,
  ...OPERATION_ROUTES,
  ...SERVICE_ROUTES,
  ...EMULATOR_ROUTES,
];
