/**
 * Change history and suggested bids.
 *
 * @module
 */
export { type BidExpression, bidExpression } from "./bid_expression.ts";
export type { SuggestedBid, TargetSuggestion } from "./ask_bids.ts";
export {
  type AdGroupBids,
  type BidOptions,
  type BidTheme,
  DEFAULT_THEME,
  type NewAdGroupBids,
  SuggestedBids,
  type TargetBids,
} from "./suggested_bids.ts";
export { ChangeHistory, type ValueAtOptions } from "./change_history.ts";
export {
  HISTORY_CHANGE_TYPES,
  HISTORY_DAYS,
  HISTORY_ENTITY_TYPES,
  type HistoryChangeType,
  type HistoryEntityType,
  type HistoryEvent,
  type HistoryMetadata,
} from "./history_event.ts";
export type { HistoryOptions } from "./history_query.ts";
export type { CreatedSince, RestoreOptions } from "./plan_restore.ts";
export type { Moment } from "../../base/time/moment.ts";
