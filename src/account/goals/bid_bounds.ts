import type { BindingBound, KeptReason, StopReason } from "./decision.ts";
import type { GoalInput } from "./model.ts";
import type { Values } from "./value.ts";

/**
 * A bid change counts as noise if it is below `NOISE` times the uncertainty of the estimate, or below `MIN_MOVE` as a
 * fraction of the bid.
 */
const [NOISE, MIN_MOVE] = [0.2, 0.03];

/** Lowest and highest bid of each target in a plan. */
export interface Bounds {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export function boundsOf({ targets, limits }: GoalInput, isStopped: boolean): Bounds {
  const { minBid, maxBid, raise, cut } = limits;
  const moved = (factor: number): Float64Array =>
    Float64Array.from(
      targets,
      ({ bid, locked }) =>
        isStopped || locked !== undefined ? bid : Math.min(maxBid, Math.max(minBid, bid * factor)),
    );
  return { low: moved(1 - cut), high: moved(1 + raise) };
}

/** Returns the bound that keeps a bid from its free value; `null` if none does. */
export function boundOf(
  { limits }: GoalInput,
  { bounds, at, free }: { readonly bounds: Bounds; readonly at: number; readonly free: number },
): BindingBound {
  if (free > bounds.high[at]!) return bounds.high[at]! >= limits.maxBid ? "maximum" : "raise";
  if (free < bounds.low[at]!) return bounds.low[at]! <= limits.minBid ? "minimum" : "cut";
  return null;
}

/** A bid that the goal wants for the target at a position. */
interface WantedBid {
  readonly bounds: Bounds;
  readonly at: number;
  readonly bid: number;
}

/** Keeps the current bid if the change is smaller than its uncertainty. */
export function settledBid(
  input: GoalInput,
  { values, ...wanted }: WantedBid & { readonly values: Values },
): number {
  return isNoise(input, { values, ...wanted }) ? input.targets[wanted.at]!.bid : roundedBid(input, wanted);
}

function isNoise(
  { targets, limits }: GoalInput,
  { values, at, bid }: Pick<WantedBid, "at" | "bid"> & { readonly values: Values },
): boolean {
  const now = targets[at]!.bid;
  const move = Math.abs(Math.log(bid / now));
  const isAllowed = now >= limits.minBid && now <= limits.maxBid;
  return isAllowed && (move < MIN_MOVE || move < NOISE * values.cv[at]!);
}

/** Rounds a bid to the currency's decimals, within its bounds where they leave room for a rounded one. */
export function roundedBid({ targets, limits }: GoalInput, { bounds, at, bid }: WantedBid): number {
  const [now, low, high] = [targets[at]!.bid, bounds.low[at]!, bounds.high[at]!];
  const unit = 10 ** limits.decimals;
  const near = Math.round(bid * unit) / unit;
  if (near > high + 1e-9) return Math.max(Math.floor(high * unit + 1e-6) / unit, Math.min(now, high));
  if (near < low - 1e-9) return Math.min(Math.ceil(low * unit - 1e-6) / unit, Math.max(now, low));
  return near;
}

/** Explains why a bid stays. */
export function keptReason(
  input: GoalInput,
  { values, stopped, at, bid }: Pick<WantedBid, "at" | "bid"> & {
    readonly values: Values;
    readonly stopped: StopReason | null;
  },
): KeptReason {
  const target = input.targets[at]!;
  if (stopped !== null) return stopped;
  if (target.locked !== undefined) return "locked";
  return bid !== target.bid && isNoise(input, { values, at, bid }) ? "noise" : "rounding";
}
