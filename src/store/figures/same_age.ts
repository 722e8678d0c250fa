import { addDays, countDays, dayOf, type DayRange } from "../../base/time/calendar.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";

export interface SameAge {
  /** ISO 8601 time at which the earlier period was as old as the later one is now. */
  readonly asOf: string | undefined;
  readonly isComparable: boolean;
  readonly notes: readonly string[];
}

const DAY = 86_400_000;
/** Scheduled pulls vary by minutes. */
const SLACK = DAY / 2;

/**
 * Orders of a day arrive for 14 days. Complete days are compared as known now, others as they were known at the same
 * age, according to the store's history; without it, orders and sales cannot be compared yet.
 *
 * @param options `asOf`: time at which both periods were known.
 * @default now
 */
export async function sameAge(
  store: Pick<Warehouse, "query">,
  { period, before, reports, profileIds, today, asOf }: {
    readonly period: DayRange;
    readonly before: DayRange;
    readonly reports: readonly string[];
    readonly profileIds?: readonly string[] | undefined;
    readonly today: string;
    readonly asOf?: string | undefined;
  },
): Promise<SameAge> {
  const now = asOf?.slice(0, 10) ?? today;
  if (period.end < addDays(now, -ATTRIBUTION_DAYS)) return { asOf, isComparable: true, notes: [] };
  const within = { reports, profileIds };
  const shift = countDays({ start: before.end, end: period.end }) - 1;
  const pulled = (await pulls(store, { ...within, days: period, asOf })).map(({ at }) => Date.parse(at));
  const moment = new Date(Math.max(...pulled, -Infinity) + SLACK - shift * DAY);
  const stored = await pulls(store, { ...within, days: before, asOf });
  const then = Number.isNaN(moment.getTime())
    ? []
    : await pulls(store, { ...within, days: before, asOf: moment.toISOString() });
  const known = new Set(then.map(keyOf));
  const young = addDays(now, -ATTRIBUTION_DAYS);
  if (stored.length > 0 && stored.every((one) => known.has(keyOf(one)))) {
    return {
      asOf: moment.toISOString(),
      isComparable: true,
      notes: [
        `Both periods are compared at the same age: ${before.start} to ${before.end} as it was known on ` +
        dayOf(moment.getTime()),
      ],
    };
  }
  return {
    asOf,
    isComparable: false,
    notes: [
      `Orders and sales cannot be compared yet: orders from ${young} on are still arriving, and the store does ` +
      `not know how ${before.start} to ${before.end} looked at the same age. Compare days before ` +
      `${young}, or sync every day`,
    ],
  };
}

interface Pull {
  readonly profile: string;
  readonly report: string;
  readonly date: string;
  readonly at: string;
}

function keyOf({ profile, report, date }: Pull): string {
  return `${profile} ${report} ${date}`;
}

async function pulls(
  store: Pick<Warehouse, "query">,
  { reports, profileIds, days, asOf }: {
    readonly reports: readonly string[];
    readonly profileIds: readonly string[] | undefined;
    readonly days: DayRange;
    readonly asOf: string | undefined;
  },
): Promise<Pull[]> {
  const marks = (list: readonly string[]): string =>
    list.length === 0 ? "NULL" : list.map(() => "?").join(", ");
  const only = profileIds === undefined ? "" : ` AND profile_id IN (${marks(profileIds)})`;
  const { rows } = await store.query(
    `SELECT profile_id, report, date, pulled_at FROM days WHERE report IN (${marks(reports)}) ` +
      `AND date BETWEEN '${days.start}' AND '${days.end}'${only}`,
    [...reports, ...profileIds ?? []],
    { maxRows: Infinity, asOf },
  );
  return rows.map((row) => {
    const at = row["pulled_at"];
    return {
      profile: String(row["profile_id"]),
      report: String(row["report"]),
      date: String(row["date"]).slice(0, 10),
      at: at instanceof Date ? at.toISOString() : String(at),
    };
  });
}
