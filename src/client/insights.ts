/**
 * Change history and suggested bids.
 *
 * @module
 */
export { type BidExpression, bidExpression } from "./bids/bid_expression.ts";
export type { SuggestedBid, TargetSuggestion } from "./bids/ask_bids.ts";
export {
  type AdGroupBids,
  type BidOptions,
  type BidTheme,
  DEFAULT_THEME,
  type NewAdGroupBids,
  SuggestedBids,
  type TargetBids,
} from "./bids/suggested_bids.ts";
export { ChangeHistory, type ValueAtOptions } from "./history/change_history.ts";
export {
  HISTORY_CHANGE_TYPES,
  HISTORY_ENTITY_TYPES,
  type HistoryChangeType,
  type HistoryEntityType,
  type HistoryEvent,
  type HistoryMetadata,
} from "./history/history_event.ts";
export { HISTORY_DAYS, type HistoryOptions } from "./history/history_query.ts";
export type { CreatedSince, RestoreOptions } from "./history/plan_restore.ts";
export type { Moment } from "../base/time/moment.ts";
