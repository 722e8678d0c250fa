/**
 * The account as one thing: the jobs of every week.
 *
 * @module
 */

export { countReasons, type JobResult, type LeftOut } from "./jobs/job_result.ts";
export type { FigureOptions, StoredReports } from "./jobs/ensure_stored.ts";
export { BID_KINDS, type BidKind, type BidsOptions, checkBidsOptions, planBids } from "./jobs/plan_bids.ts";
