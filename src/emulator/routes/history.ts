import { answerHistory } from "../history/answer_history.ts";
import type { Route } from "../route.ts";

const TYPES = ["application/json"];

/** The change history. */
export const HISTORY_ROUTES: readonly Route[] = [{
  operation: "history:getHistory",
  method: "POST",
  path: "/history",
  requestTypes: TYPES,
  answerTypes: TYPES,
  errors: "details",
  handle: answerHistory,
}];
