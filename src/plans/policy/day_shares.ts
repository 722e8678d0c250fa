import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import { ConfigurationError } from "../../errors.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { estimateMoney, type MoneySources } from "../review/estimate_money.ts";
import type { DayEntry, DayLedger, LedgerAttempt } from "../state/day_ledger.ts";
import { type DayTotals, largerTotals, NO_TOTALS, type WriteTotals } from "../state/day_totals.ts";
import { firstValues, type JudgedChange, mayRaiseSpend } from "./judged_change.ts";
import { marketMoment } from "./market_moment.ts";
import type { PolicyContext } from "./policy.ts";

export function planTotals(
  judged: readonly JudgedChange[],
  sources: Omit<MoneySources, "currency">,
): WriteTotals {
  // A change in several marketplaces is judged in each, and is one change.
  const changes = [...new Map(judged.map((change) => [change.index, change])).values()];
  const count = (op: string): number => changes.filter((change) => change.op === op).length;
  return {
    changes: changes.length,
    creates: count("create"),
    updates: count("update"),
    archives: count("archive"),
    spendIncrease: spendIncrease(judged, sources),
  };
}

/** Maximum daily increase; `undefined` if unknown. Unknown savings count as 0. */
function spendIncrease(
  judged: readonly JudgedChange[],
  sources: Omit<MoneySources, "currency">,
): number | undefined {
  // What a call spends is unknown; it passes only where the policy names its operation.
  const weighed = judged.filter(({ op }) => op !== "call");
  const high = (of: readonly JudgedChange[]): number | undefined => {
    // Only the sums are used, which are in the account's currency.
    const { unknown, perDay } = estimateMoney(of.map(({ step }) => step), { ...sources, currency: "" });
    return unknown > 0 ? undefined : perDay.high;
  };
  return high(weighed) ?? high(weighed.filter(mayRaiseSpend));
}

export interface DayPlace {
  readonly profileId: string;
  readonly day: string;
  readonly country?: string | undefined;
}

function countriesElsewhere(judged: readonly JudgedChange[]): string[] {
  const found = judged.flatMap(({ step: { market } }) => market?.isElsewhere ? [market.country] : []);
  return [...new Set(found)].sort();
}

export async function placesElsewhere(
  judged: readonly JudgedChange[],
  client: PlanTarget,
  now: number,
): Promise<DayPlace[]> {
  const countries = countriesElsewhere(judged);
  if (countries.length === 0) return [];
  const profiles = await client.globalProfiles?.() ?? [];
  return countries.map((country) => {
    const profile = profiles.find(({ countryCode }) => countryCode === country);
    if (profile === undefined) {
      throw new ConfigurationError(
        `Cannot count changes in ${country}: the global account's profile there is not known. ` +
          "Leave that marketplace out, or use a login with access to its profile",
      );
    }
    const { profileId, timeZone = timeZoneOf({ countryCode: country }) } = profile;
    return { profileId, country, day: marketMoment(timeZone, now).day };
  });
}

export function ofPlace(judged: readonly JudgedChange[], { country }: DayPlace): JudgedChange[] {
  return judged.filter(({ step: { market } }) =>
    country === undefined ? !market?.isElsewhere : market?.isElsewhere && market.country === country
  );
}

export function totalsAt(
  judged: readonly JudgedChange[],
  place: DayPlace,
  { figures }: Pick<PolicyContext, "figures">,
): WriteTotals {
  if (place.country === undefined) return planTotals(judged, { figures });
  const own = ofPlace(judged, place).map((change) => {
    const { step } = change;
    return { ...change, step: { ...step, market: { ...step.market!, isForeign: false } } };
  });
  return planTotals(own, { figures });
}

export class DaysOfPlaces {
  readonly #totals = new Map<string | undefined, DayTotals>();

  set({ country }: DayPlace, totals: DayTotals): void {
    this.#totals.set(country, totals);
  }

  context(): Pick<PolicyContext, "today" | "elsewhere"> {
    const others = [...this.#totals].flatMap(([country, totals]) =>
      country === undefined ? [] : [[country, totals] as const]
    );
    return { today: this.#totals.get(undefined) ?? NO_TOTALS, elsewhere: new Map(others) };
  }
}

export function todayOf(
  { step: { market } }: Pick<JudgedChange, "step">,
  { today = NO_TOTALS, elsewhere }: Pick<PolicyContext, "today" | "elsewhere">,
): DayTotals {
  return (market?.isElsewhere ? elsewhere?.get(market.country) : undefined) ?? today;
}

/**
 * Ends a plan's reservations. If sums are given for a place, they replace the reservation with what was sent;
 * otherwise it is released.
 */
export type EndShares = (actual?: (place: DayPlace, reserved: WriteTotals) => WriteTotals) => Promise<void>;

/**
 * Reserves amounts in one place after another, so that each decision sees the reservations of other plans. If one is
 * refused, the earlier ones are released.
 */
export async function reserveShares(
  places: readonly DayPlace[],
  { ledger, attempt, decide }: {
    ledger: DayLedger;
    attempt: LedgerAttempt;
    decide: (place: DayPlace, today: DayTotals) => DayEntry;
  },
): Promise<EndShares> {
  const taken: { place: DayPlace; reserved: WriteTotals; end: (actual?: WriteTotals) => Promise<void> }[] =
    [];
  const endAll: EndShares = async (actual) => {
    for (const { place, reserved, end } of taken) await end(actual?.(place, reserved));
  };
  try {
    for (const place of places) {
      let reserved: WriteTotals = NO_TOTALS;
      const end = await ledger.reserve(place, {
        ...attempt,
        decide: (today) => {
          const entry = decide(place, today);
          const counts = today.replaces === undefined ? entry : largerTotals(entry, today.replaces);
          reserved = counts;
          return { ...entry, ...counts };
        },
      });
      taken.push({ place, reserved, end });
    }
  } catch (error) {
    await endAll().catch(() => {});
    throw error;
  }
  return endAll;
}

export function currencyOf(countryCode: string): string {
  return marketOf(countryCode)?.currency ?? "";
}

export function firstAt(
  judged: readonly JudgedChange[],
  place: DayPlace,
  today: DayTotals,
): DayEntry["first"] {
  return firstValues(ofPlace(judged, place), today);
}
