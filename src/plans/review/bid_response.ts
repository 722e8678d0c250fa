import type { Step } from "../state/plan_state.ts";
import { bidField } from "../state/amounts.ts";

/** Response of an account's spend to its own earlier changes of bids. */
export interface BidResponse {
  /** Changes of bids with stored figures on both sides. */
  readonly changes: number;
  /** Number of changes required for a known response. */
  readonly needed: number;
  /** Exponent of the bid in spend a day, with its interval of 95 %; `null` where it is unknown. */
  readonly spend: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** Reason that it is unknown; `null` if it is known. */
  readonly unknown: string | null;
}

/** Gives the response of a profile's spend to bids, from its own applied plans and stored figures. */
export type BidResponseSource = (request: {
  readonly profileId: string;
  /** The current day in the profile's time zone. */
  readonly today: string;
  /** IANA time zone of the profile. */
  readonly timeZone: string;
}) => Promise<BidResponse | undefined>;

/** True for a change of a bid. */
export function changesBid({ change: { kind, op, after } }: Step): boolean {
  return op === "update" && after[bidField(kind)] !== undefined;
}

/** Basis of an estimate by a response, in words. */
export function responseGround({ changes, spend, unknown }: BidResponse): string {
  return spend === null
    ? `the account's own response to bids is unknown: ${unknown}`
    : `bids by the account's own response to ${changes} changes: spend follows a bid to the power of ` +
      `${spend.value.toFixed(2)} (${spend.low.toFixed(2)} to ${
        spend.high.toFixed(2)
      }), a quarter more or less`;
}
