import { addDays, type Day, type DayRange, eachDay, startOfDay } from "../../base/time/calendar.ts";
import type { AmountChange, LastChanges } from "../../plans/model/amount_changes.ts";
import { RESTATE_DAYS } from "../../store/model/maturity_share.ts";
import { salesColumns } from "../../store/views/sales_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { TermFigures } from "./model.ts";
import type { PlacementChanges } from "./placement_changes.ts";

export const GOAL_WEEKS = 12;

export interface TargetSums {
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
}

export interface CampaignDay {
  readonly day: Day;
  readonly cost: number;
}

export interface PlacementSums {
  readonly placement: string;
  readonly clicks: number;
  readonly orders: number;
}

/** Figures by which goals are decided: of the store, the account and its history. */
export interface GoalFigures {
  readonly today: Day;
  readonly range: DayRange;
  readonly weeks: readonly DayRange[];
  readonly weekly: ReadonlyMap<string, ReadonlyMap<number, TargetSums>>;
  readonly daily: ReadonlyMap<string, ReadonlyMap<Day, TargetSums>>;
  readonly campaigns: ReadonlyMap<string, readonly CampaignDay[]>;
  readonly placements: ReadonlyMap<string, readonly PlacementSums[]>;
  readonly terms: ReadonlyMap<string, readonly TermFigures[]>;
  /** Reason why the search terms could not be read. */
  readonly termsUnread?: string | undefined;
  readonly maturities: Maturities;
  readonly campaignGaps: ReadonlySet<Day>;
  readonly changes: LastChanges;
  readonly placementChanges: PlacementChanges;
  /** Reason why the history of placement adjustments could not be read; all adjustments then stay unchanged. */
  readonly placementsUnread?: string | undefined;
  readonly changesWarning?: string | undefined;
  readonly spentToday: ReadonlyMap<string, number>;
}

interface FiguresRequest {
  readonly profileId: string;
  readonly range: DayRange;
}

type Store = Pick<Warehouse, "query">;
type Row = Readonly<Record<string, unknown>>;

const { orders: ORDERS, sales: SALES } = salesColumns("sp");
const TERM_SALES = salesColumns("sp_search_terms");
const SUMS = `sum(clicks) AS clicks, sum(cost) AS cost, sum(${ORDERS}) AS orders, sum(${SALES}) AS sales`;

export function totalOf(all: Iterable<TargetSums>): TargetSums {
  const total = { clicks: 0, cost: 0, orders: 0, sales: 0 };
  for (const { clicks, cost, orders, sales } of all) {
    total.clicks += clicks;
    total.cost += cost;
    total.orders += orders;
    total.sales += sales;
  }
  return total;
}

/** Sums up the stored weeks of a target. */
export function targetTotal({ weekly }: Pick<GoalFigures, "weekly">, id: string): TargetSums {
  return totalOf(weekly.get(id)?.values() ?? []);
}

/** Returns the weeks of a period, counted back from its last day, newest first. */
export function weeksOf({ start, end }: DayRange): DayRange[] {
  const weeks: DayRange[] = [];
  for (let last = end; last >= start; last = addDays(last, -7)) {
    const first = addDays(last, -6);
    weeks.push({ start: first < start ? start : first, end: last });
  }
  return weeks;
}

export async function weeklySums(
  store: Store,
  { profileId, weeks }: { readonly profileId: string; readonly weeks: readonly DayRange[] },
): Promise<Map<string, Map<number, TargetSums>>> {
  const found = new Map<string, Map<number, TargetSums>>();
  for (const [week, { start, end }] of weeks.entries()) {
    const { rows } = await store.query(
      `SELECT keyword_id AS id, ${SUMS} FROM sp_targeting WHERE profile_id = ? AND date BETWEEN ? AND ? GROUP BY keyword_id`,
      [profileId, start, end],
      { maxRows: Infinity },
    );
    for (const row of rows) {
      const id = String(row["id"]);
      const own = found.get(id) ?? new Map<number, TargetSums>();
      own.set(week, sumsOf(row));
      found.set(id, own);
    }
  }
  return found;
}

export async function dailySums(
  store: Store,
  { profileId, range, ids }: FiguresRequest & { readonly ids: readonly string[] },
): Promise<Map<string, Map<Day, TargetSums>>> {
  const found = new Map<string, Map<Day, TargetSums>>();
  for (let first = 0; first < ids.length; first += MAX_IDS) {
    const part = ids.slice(first, first + MAX_IDS);
    const { rows } = await store.query(
      `SELECT keyword_id AS id, date, ${SUMS} FROM sp_targeting WHERE profile_id = ? AND date BETWEEN ? AND ? ` +
        `AND keyword_id IN (${part.map(() => "?").join(", ")}) GROUP BY keyword_id, date`,
      [profileId, range.start, range.end, ...part],
      { maxRows: Infinity },
    );
    for (const row of rows) {
      const id = String(row["id"]);
      const own = found.get(id) ?? new Map<Day, TargetSums>();
      own.set(dayOf(row), sumsOf(row));
      found.set(id, own);
    }
  }
  return found;
}

const MAX_IDS = 500;

export async function campaignDays(
  store: Store,
  { profileId, range }: FiguresRequest,
): Promise<Map<string, CampaignDay[]>> {
  const { rows } = await store.query(
    "SELECT campaign_id AS id, date, sum(cost) AS cost FROM sp_campaigns " +
      "WHERE profile_id = ? AND date BETWEEN ? AND ? GROUP BY campaign_id, date",
    [profileId, range.start, range.end],
    { maxRows: Infinity },
  );
  const days = rows.map((row) => ({
    id: String(row["id"]),
    day: dayOf(row),
    cost: Number(row["cost"] ?? 0),
  }));
  return Map.groupBy(days, ({ id }) => id);
}

export async function campaignSums(
  store: Store,
  { profileId, range }: FiguresRequest,
): Promise<Map<string, TargetSums>> {
  const { rows } = await store.query(
    `SELECT campaign_id AS id, ${SUMS} FROM sp_campaigns WHERE profile_id = ? AND date BETWEEN ? AND ? ` +
      "GROUP BY campaign_id",
    [profileId, range.start, range.end],
    { maxRows: Infinity },
  );
  return new Map(rows.map((row) => [String(row["id"]), sumsOf(row)]));
}

export async function placementSums(
  store: Store,
  { profileId, range }: FiguresRequest,
): Promise<Map<string, PlacementSums[]>> {
  const { rows } = await store.query(
    `SELECT campaign_id AS id, placement_classification AS placement, sum(clicks) AS clicks, sum(${ORDERS}) AS orders ` +
      "FROM sp_placement WHERE profile_id = ? AND date BETWEEN ? AND ? GROUP BY campaign_id, placement_classification",
    [profileId, range.start, range.end],
    { maxRows: Infinity },
  );
  const sums = rows.map((row) => ({
    id: String(row["id"]),
    placement: String(row["placement"]),
    clicks: Number(row["clicks"] ?? 0),
    orders: Number(row["orders"] ?? 0),
  }));
  return Map.groupBy(sums, ({ id }) => id);
}

/**
 * Search terms with clicks by target, those that no other target has as one, which comes last; empty if the report is not
 * stored.
 */
export async function termSums(
  store: Store,
  { profileId, range }: FiguresRequest,
): Promise<Map<string, TermFigures[]>> {
  const { rows } = await store.query(
    "SELECT id, shared AS term, sum(clicks) AS clicks, sum(orders) AS orders FROM (" +
      "SELECT id, CASE WHEN count(*) OVER (PARTITION BY term) > 1 THEN term END AS shared, clicks, orders FROM (" +
      `SELECT keyword_id AS id, search_term AS term, sum(clicks) AS clicks, sum(${TERM_SALES.orders}) AS orders ` +
      "FROM sp_search_terms WHERE profile_id = ? AND date BETWEEN ? AND ? GROUP BY keyword_id, search_term " +
      "HAVING sum(clicks) > 0) AS terms) AS known " +
      "GROUP BY id, shared ORDER BY id, shared IS NULL, sum(clicks) DESC, shared",
    [profileId, range.start, range.end],
    { maxRows: Infinity },
  );
  const found = new Map<string, TermFigures[]>();
  for (const row of rows) {
    const id = String(row["id"]);
    const own = found.get(id) ?? [];
    found.set(id, own);
    own.push({
      term: row["term"] === null ? null : String(row["term"]),
      clicks: Number(row["clicks"] ?? 0),
      orders: Number(row["orders"] ?? 0),
    });
  }
  return found;
}

export interface Maturities {
  readonly days: ReadonlyMap<Day, number>;
  readonly isOwn: boolean;
}

/**
 * Returns the fraction of a day's orders that is already known, by the age of the day, from the store's history.
 * Fallback (an assumption): 60 % after one day, 90 % after five, 100 % after 42.
 */
export async function maturities(
  store: Store,
  { profileId, range }: FiguresRequest,
): Promise<Maturities> {
  const { rows } = await store.query(
    "SELECT date, age, orders_to_come AS missing FROM immature " +
      "WHERE profile_id = ? AND report = 'sp_targeting' AND date BETWEEN ? AND ?",
    [profileId, range.start, range.end],
    { maxRows: Infinity },
  );
  const ageOf = (row: Row): number => Math.max(1, Number(row["age"] ?? 1));
  return {
    isOwn: rows.some((row) => ageOf(row) < RESTATE_DAYS && row["missing"] !== null),
    days: new Map(rows.map((row) => {
      const age = ageOf(row);
      const assumed = age >= RESTATE_DAYS ? 0 : 0.4 * Math.exp((1 - age) / 3);
      const share = 1 - Number(row["missing"] ?? assumed);
      return [dayOf(row), Math.min(1, Math.max(0.05, share))] as const;
    })),
  };
}

/** Reconstructs a past value from the current one and its changes, oldest first. */
export function valueAt(
  changes: readonly AmountChange[],
  { now, at }: { readonly now: number | null; readonly at: number },
): number | null {
  const later = changes.find((change) => change.at > at);
  if (later === undefined) return now;
  if (later.before === null) return null;
  const before = Number(later.before);
  if (later.before !== undefined && before > 0) return before;
  // What it was before is not known, so that it counts as if it had been the later value.
  const after = Number(later.after);
  return later.after !== undefined && after > 0 ? after : now;
}

/** Returns the mean of a value over a time span, in milliseconds since the epoch, that changed at the given moments. */
export function meanOver(
  valueOf: (at: number) => number,
  { moments, from, to }: { readonly moments: readonly number[]; readonly from: number; readonly to: number },
): number {
  const inside = moments.filter((at) => from < at && at < to).sort((a, b) => a - b);
  let sum = 0;
  [from, ...inside].forEach((at, place) => sum += valueOf(at) * ((inside[place] ?? to) - at));
  return sum / (to - from);
}

export function noons(range: DayRange, timeZone: string): ReadonlyMap<Day, number> {
  return new Map([...eachDay(range)].map((day) => [day, startOfDay(day, timeZone) + 43_200_000]));
}

function sumsOf(row: Row): TargetSums {
  const figure = (name: string): number => Number(row[name] ?? 0);
  return {
    clicks: figure("clicks"),
    cost: figure("cost"),
    orders: figure("orders"),
    sales: figure("sales"),
  };
}

function dayOf(row: Row): Day {
  return String(row["date"]).slice(0, 10);
}
