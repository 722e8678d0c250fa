import type { GoalCampaign, GoalTarget } from "./model.ts";
import { WAITING_LOCKS } from "./quiet_groups.ts";
import { indexOf } from "./value.ts";

const [PLACEMENT_ORDERS, NEEDED_ORDERS] = [40, 100];
/** Limits for changing an adjustment in one plan, and the platform's maximum adjustment, as fractions (9 is 900 %). */
const [MAX_MOVE, MIN_MOVE, MAX_ADJUSTMENT] = [0.25, 0.05, 9];

export interface PlacementPlan {
  readonly adjustments: readonly (readonly number[] | undefined)[];
  /**
   * Orders per click of each placement relative to the account's average, which determine the adjustments; empty for
   * campaigns whose adjustments stay unchanged.
   */
  readonly values: readonly (readonly number[])[];
  /** Number of campaigns whose adjustments stay because targets with half or more of their clicks wait. */
  readonly waiting: number;
  readonly now: Float64Array;
  readonly next: Float64Array;
  readonly value: Float64Array;
}

/**
 * Decides placement adjustments in proportion to click value. The worst placement gets none, because the platform can
 * only raise bids. Rates are shrunk towards those of the account.
 */
export function decidePlacements(
  targets: readonly GoalTarget[],
  campaigns: readonly GoalCampaign[],
  { decide = true }: { decide?: boolean } = {},
): PlacementPlan {
  const width = Math.max(0, ...campaigns.map(({ placements = [] }) => placements.length));
  const of = (field: "clicks" | "orders", k: number): number =>
    campaigns.reduce((sum, { placements }) => sum + (placements?.[k]?.[field] ?? 0), 0);
  const places = Array.from(
    { length: width },
    (_, k) => ({ clicks: of("clicks", k), orders: of("orders", k) }),
  );
  const orders = places.reduce((sum, one) => sum + one.orders, 0);
  const clicks = places.reduce((sum, one) => sum + one.clicks, 0);
  const isKnown = decide && orders >= NEEDED_ORDERS;
  const usual = places.map((one) => isKnown ? (one.orders + 10) / (one.clicks * orders / clicks + 10) : 1);
  const locks = locksOf(targets);
  const plans = campaigns.map(({ id, placements, keepsPlacements = false }) => {
    if (placements === undefined) return { values: [], now: 1, next: 1, value: 1 };
    const mayMove = isKnown && !keepsPlacements && locks.get(id) === "open";
    const own = {
      orders: placements.reduce((sum, one) => sum + one.orders, 0),
      expected: placements.reduce((sum, one, k) => sum + one.clicks * usual[k]!, 0),
    };
    const values = placements.map((one, k) => {
      const expected = own.expected === 0 ? 0 : own.orders * one.clicks * usual[k]! / own.expected;
      return usual[k]! * (one.orders + PLACEMENT_ORDERS) / (expected + PLACEMENT_ORDERS);
    });
    const lowest = Math.min(...values);
    const next = placements.map(({ adjustment }, k) => {
      const wanted = Math.min(MAX_ADJUSTMENT, values[k]! / lowest - 1);
      const move = Math.max(-MAX_MOVE, Math.min(MAX_MOVE, wanted - adjustment));
      return mayMove && Math.abs(move) >= MIN_MOVE ? Math.round((adjustment + move) * 100) / 100 : adjustment;
    });
    const all = placements.reduce((sum, one) => sum + one.clicks + 1, 0);
    const before = placements.map((one) => (one.clicks + 1) / all);
    const moved = before.map((share, k) => share * (1 + next[k]!) / (1 + placements[k]!.adjustment));
    const sum = moved.reduce((total, one) => total + one, 0);
    const mean = (shares: readonly number[], by: readonly number[]): number =>
      shares.reduce((total, share, k) => total + share * by[k]!, 0);
    const shares = moved.map((one) => one / sum);
    return {
      adjustments: next.some((one, k) => one !== placements[k]!.adjustment) ? next : undefined,
      values,
      now: mean(before, placements.map(({ adjustment }) => 1 + adjustment)),
      next: mean(shares, next.map((one) => 1 + one)),
      value: mean(shares, values) / mean(before, values),
    };
  });
  const at = new Map(campaigns.map(({ id }, place) => [id, place]));
  const each = (field: "now" | "next" | "value"): Float64Array =>
    Float64Array.from(targets, ({ campaign }) => plans[at.get(campaign) ?? -1]?.[field] ?? 1);
  return {
    adjustments: plans.map((plan) => plan.adjustments),
    waiting: isKnown
      ? campaigns.filter(({ id, placements, keepsPlacements }) =>
        placements !== undefined && !keepsPlacements && locks.get(id) === "waiting"
      ).length
      : 0,
    values: plans.map((plan) => plan.values),
    now: each("now"),
    next: each("next"),
    value: each("value"),
  };
}

/**
 * Returns whether a campaign's adjustments may move. They move all its bids, so a bid that must stay closes the
 * campaign. Bids that cool down or lost their clicks close it only while they have half or more of its clicks: where
 * goals are planned more often than bids cool down, some bid always waits.
 */
function locksOf(targets: readonly GoalTarget[]): ReadonlyMap<string, "open" | "waiting" | "closed"> {
  return new Map(
    [...Map.groupBy(targets, ({ campaign }) => campaign)].map(([id, own]) => {
      if (own.some(({ locked }) => locked !== undefined && !WAITING_LOCKS.includes(locked))) {
        return [id, "closed"];
      }
      const waiting = own.filter(({ locked }) => locked !== undefined);
      return [id, waiting.length > 0 && 2 * clicksOf(waiting) >= clicksOf(own) ? "waiting" : "open"];
    }),
  );
}

function clicksOf(targets: readonly GoalTarget[]): number {
  return targets.reduce((all, { periods }) => periods.reduce((sum, { clicks }) => sum + clicks, all), 0);
}

export function campaignPlaces(
  targets: readonly GoalTarget[],
  campaigns: readonly GoalCampaign[],
): Int32Array {
  const { keys, index } = indexOf(campaigns.map(({ id }) => id));
  const known = new Map(keys.map((key, at) => [key, index[at]!]));
  return Int32Array.from(targets, ({ campaign, id }) => {
    const at = known.get(campaign);
    if (at === undefined) {
      throw new TypeError(`Cannot decide: campaign ${campaign} of target ${id} is not in the goal`);
    }
    return at;
  });
}
