import { getHistory } from "./get_history.ts";
import type { Route } from "../../routing/route.ts";

const TYPES = ["application/json"];

/** The change history. */
export const HISTORY_ROUTES: readonly Route[] = [{
  operation: "history:getHistory",
  method: "POST",
  path: "/history",
  requestTypes: TYPES,
  responseTypes: TYPES,
  errors: "details",
  handle: getHistory,
}];
