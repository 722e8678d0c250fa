import {
  type BidPeriod,
  type Elasticity,
  measureElasticity,
} from "../../base/statistics/measure_elasticity.ts";
import { addDays, countDays, dayIn, eachDay } from "../../base/time/calendar.ts";
import type { BidMove } from "../../plans/store/bid_moves.ts";
import type { BidResponse } from "../../plans/review/bid_response.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { unitDays } from "./unit_totals.ts";

/** Input of {@linkcode bidResponse}. */
export interface BidResponseRequest {
  /** Profile whose stored days are compared before and after the moves. */
  readonly profileId: string;
  /** Bid changes by the profile's plans, from `bidMovesIn`. */
  readonly moves: readonly BidMove[];
  /** The current day in the profile's time zone. */
  readonly today: string;
  /** IANA time zone of the profile. */
  readonly timeZone: string;
}

/** The measured response, with separate exponents for clicks and cost per click. */
export interface MeasuredResponse extends BidResponse {
  /** All exponents; `null` where too few changes have figures. */
  readonly elasticity: Elasticity | null;
}

export const FEWEST_CHANGES = 30;
const FEWEST_ENTITIES = 10;

const WIDEST = 2;

const [MAX_DAYS, FEWEST_DAYS] = [28, 7];

/** Maximum age in days of figures before a change: evidence, attribution lag, and the compared days themselves. */
const LOOKBACK = 30 + 14 + MAX_DAYS;

/** Number of newest days whose clicks may still be removed as invalid. */
const UNSETTLED = 3;

/** Maximum age of a change in days; older changes reflect a different market. */
const MAX_AGE = 400;

/**
 * Measures how clicks, cost per click and spend of a profile responded to the bid changes of its own plans. Compares
 * the days before and after each change of a keyword or target, at most 28 and at least 7, up to the next change and
 * without the day of the change. Excludes the days of the figures recorded with a change, because extreme results
 * regress to the mean, which is not a response, and the days between two plans in which someone else changed the bid.
 * Seasonality and binding budgets are part of the result: unchanged entities would not measure them better, see the
 * guide.
 *
 * @returns a response with `spend: null` and the reason if fewer than 30 changes of 10 entities have figures, or the
 * interval is wider than the formula's.
 *
 * @example
 * ```ts
 * import { bidMovesIn } from "@platform/ads/plans";
 * import { bidResponse, type Warehouse } from "@platform/ads/store";
 *
 * async function show(store: Warehouse, profileId: string): Promise<void> {
 *   const moves = await bidMovesIn("plans", { profileId });
 *   const found = await bidResponse(store, { profileId, moves, today: "2026-11-24", timeZone: "UTC" });
 *   console.log(found.elasticity?.clicks.value ?? found.unknown);
 * }
 * ```
 */
export async function bidResponse(
  store: Pick<Warehouse, "query" | "coverage">,
  { profileId, moves, today, timeZone }: BidResponseRequest,
): Promise<MeasuredResponse> {
  const last = addDays(today, -1 - UNSETTLED);
  const oldest = addDays(today, -MAX_AGE);
  const dated = moves.map((move) => ({ ...move, day: dayIn(timeZone, Date.parse(move.appliedAt)) }))
    .filter(({ day }) => day >= oldest);
  const coverage = await store.coverage({ profileId });
  const periods: BidPeriod[] = [];
  for (const [family, own] of Map.groupBy(dated, ({ kind }) => kind.slice(0, 2))) {
    const covered = coverage.find(({ report }) => report === `${family}_targeting`);
    if (covered === undefined) continue;
    const isStored = (day: string): boolean =>
      covered.firstDay <= day && covered.lastDay >= day &&
      !covered.gaps.some((gap) => gap.start <= day && gap.end >= day);
    const wanted = [...Map.groupBy(own, ({ id }) => id)].flatMap(([id, ofOne]) =>
      bidDays(ofOne, { last, isStored }).map((one) => ({ id, ...one }))
    );
    if (wanted.length === 0) continue;
    const start = wanted.reduce((first, { days: [day = first] }) => day < first ? day : first, last);
    const ids = [...new Set(wanted.map(({ id }) => id))];
    const { units } = await unitDays(store, {
      profileId,
      unit: "keyword",
      kinds: [`${family}.`],
      range: { start, end: last },
      figures: ["clicks", "cost"],
      ids,
    });
    const sum = (of: readonly number[] | undefined, days: readonly string[]): number =>
      days.reduce((all, day) => all + (of?.[countDays({ start, end: day }) - 1] ?? 0), 0);
    for (const { id, bid, days } of wanted) {
      periods.push({
        id: `${family} ${id}`,
        bid,
        days: days.length,
        clicks: sum(units.clicks.get(id), days),
        cost: sum(units.cost.get(id), days),
      });
    }
  }
  return judged(measureElasticity(periods));
}

interface DatedMove extends BidMove {
  readonly day: string;
}

function bidDays(
  moves: readonly DatedMove[],
  { last, isStored }: { readonly last: string; readonly isStored: (day: string) => boolean },
): { bid: number; days: readonly string[] }[] {
  // What was chosen by its luck in some days had it in these.
  const chosen = moves.flatMap(({ evidence }) => evidence ?? []);
  const usable = (start: string, end: string): string[] =>
    start > end
      ? []
      : [...eachDay({ start, end })].filter((day) =>
        day <= last && isStored(day) && !chosen.some((range) => range.start <= day && range.end >= day)
      );
  const [first] = moves;
  if (first === undefined) return [];
  const before = usable(addDays(first.day, -LOOKBACK), addDays(first.day, -1)).slice(-MAX_DAYS);
  const after = moves.flatMap(({ day, to }, at) => {
    const next = moves[at + 1];
    if (next !== undefined && next.from !== to) return [];
    const end = next === undefined ? addDays(day, MAX_DAYS) : addDays(next.day, -1);
    return [{ bid: to, days: usable(addDays(day, 1), end).slice(0, MAX_DAYS) }];
  });
  return [{ bid: first.from, days: before }, ...after].filter(({ days }) => days.length >= FEWEST_DAYS);
}

function judged(elasticity: Elasticity | undefined): MeasuredResponse {
  const { changes = 0, entities = 0, cost } = elasticity ?? {};
  const known = { changes, needed: FEWEST_CHANGES, elasticity: elasticity ?? null };
  if (cost === undefined || changes < FEWEST_CHANGES || entities < FEWEST_ENTITIES) {
    return {
      ...known,
      spend: null,
      unknown:
        `${changes} bid changes by plans, to ${entities} keywords and targets, have enough stored clicks on both ` +
        `sides; ${FEWEST_CHANGES} changes to ${FEWEST_ENTITIES} are needed`,
    };
  }
  if (cost.high - cost.low > WIDEST) {
    return {
      ...known,
      spend: null,
      unknown: `${changes} bid changes by plans leave the exponent between ${cost.low.toFixed(1)} and ${
        cost.high.toFixed(1)
      }`,
    };
  }
  return { ...known, spend: cost, unknown: null };
}
