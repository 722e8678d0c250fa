import type { Step } from "../state/plan_state.ts";
import { bidField } from "../state/amounts.ts";

/** Response of an account's spend to its own earlier changes of bids. */
export interface BidResponse {
  /** Number of bid changes with stored figures before and after. */
  readonly changes: number;
  /** Number of changes required for a known response. */
  readonly needed: number;
  /** Exponent of the bid for daily spend, with its 95 % interval; `null` if unknown. */
  readonly spend: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** Reason why it is unknown; `null` if it is known. */
  readonly unknown: string | null;
}

/** Returns the response of a profile's spend to bids, based on its own applied plans and stored figures. */
export type BidResponseSource = (request: {
  readonly profileId: string;
  /** The current day in the profile's time zone. */
  readonly today: string;
  /** IANA time zone of the profile. */
  readonly timeZone: string;
}) => Promise<BidResponse | undefined>;

export function changesBid({ change: { kind, op, after } }: Step): boolean {
  return op === "update" && after[bidField(kind)] !== undefined;
}

export function responseGround({ changes, spend, unknown }: BidResponse): string {
  return spend === null
    ? `the account's own response to bids is unknown: ${unknown}`
    : `bids by the account's own response to ${changes} changes: spend follows a bid to the power of ` +
      `${spend.value.toFixed(2)} (${spend.low.toFixed(2)} to ${
        spend.high.toFixed(2)
      }), a quarter more or less`;
}
