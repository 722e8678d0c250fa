import { idKey } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, dayIn, dayOfWeek } from "../../base/time/calendar.ts";
import { bidFactor } from "../../plans/state/amounts.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Schedule, ScheduleMove } from "./schedule.ts";
import { marketOf } from "./move_amounts.ts";
import { platformSchedule } from "./schedule_rules.ts";
import type { ScheduleState } from "./schedule_state.ts";
import { weekOf } from "./schedule_week.ts";
import { type Movable, movableKey, readMovables } from "./scheduled_entities.ts";
import { withoutHeld } from "./without_held.ts";
import { amountFor } from "./wanted_at.ts";

/** Effect of a schedule on one campaign in a week. */
export interface CampaignWeek {
  /** Id of the campaign, digits as text. */
  readonly campaignId: string;
  /** Name of the campaign. */
  readonly campaign: string;
  /** Name of the schedule. */
  readonly schedule: string;
  /** Amount that the schedule changes: bid, budget, state, or the percentage of a placement. */
  readonly move: ScheduleMove;
  /** Executor of the changes: this program or the platform. */
  readonly on: "worker" | "platform";
  /** Factors by day (Monday first) and hour. */
  readonly factors: readonly (readonly number[])[];
  /** Number of entities that the schedule changes. */
  readonly things: number;
  /** Number of entities left unchanged because experiments hold them back. */
  readonly held: number;
  /** Lowest amount of any entity in the week. */
  readonly low: number;
  /** Highest amount of any entity in the week. */
  readonly high: number;
  /**
   * Highest bid after the campaign's adjustments by placement and strategy; `null` if the schedule does not change
   * bids.
   */
  readonly effectiveHigh: number | null;
  /** Number of writes per week by a worker; writes that would repeat the live value are not counted. */
  readonly writes: number;
  /** Number of platform rules. */
  readonly rules: number;
  /**
   * Maximum added spend by day and hour of a usual week, if the number of clicks stays the same; `null` without
   * figures.
   */
  readonly risk: readonly (readonly number[])[] | null;
  /** Reason why the schedule cannot be carried out for this campaign; `null` if it can. */
  readonly problem: string | null;
}

/** Schedules, base values and figures for {@linkcode planWeek}. */
export interface PlanWeekOptions {
  /** The schedules, in the order of the file. */
  readonly schedules: readonly Schedule[];
  /** Known base values; for all other entities, live values are used. @default none */
  readonly state?: ScheduleState | undefined;
  /** Store of figures, to compute the added spend. @default none */
  readonly store?: Pick<Warehouse, "query"> | undefined;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
}

const DAYS = 28;
const STEP = 15;

/**
 * Shows what schedules would do to each campaign in a week: factors, the range of amounts, writes or rules, and the
 * spend that raised factors may add by hour. Nothing is sent. Dates and events are left out.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadSchedules, planWeek } from "@platform/ads/schedules";
 *
 * async function week(us: ProfileClient): Promise<void> {
 *   const { schedules } = await loadSchedules("schedules.yaml");
 *   for (const { campaign, low, high, writes } of await planWeek(us, { schedules })) {
 *     console.log(campaign, low, high, writes);
 *   }
 * }
 * ```
 */
export async function planWeek(profile: ProfileClient, options: PlanWeekOptions): Promise<CampaignWeek[]> {
  const { schedules, state, store, signal } = options;
  const movables = await readMovables(profile, schedules, { signal });
  const { kept } = await withoutHeld(profile, movables, {
    state,
    onPlatform: schedules.filter(({ on }) => on === "platform").map(({ name }) => name),
  });
  const held = new Set(kept.map(movableKey));
  const bases = new Map(
    (state === undefined ? [] : await state.bases(profile.profileId)).map((
      base,
    ) => [movableKey(base), base.base]),
  );
  const campaigns = new Map<string, Readonly<Record<string, unknown>>>();
  for (const product of new Set(schedules.flatMap(({ select }) => select?.products ?? (["sp"] as const)))) {
    for await (const fields of profile.resource(`${product}.campaigns`).iter({ signal })) {
      campaigns.set(idKey(fields, "campaignId"), fields);
    }
  }
  const spend = store === undefined ? undefined : await hourlySpend(profile, store);
  const weeks: CampaignWeek[] = [];
  for (const schedule of schedules) {
    const own = movables.filter(({ schedules: of }) => of.some(({ name }) => name === schedule.name));
    const groups = Map.groupBy(own, ({ fields }) => idKey(fields, "campaignId"));
    for (const [campaignId, things] of groups) {
      weeks.push(weekOfCampaign(schedule, things, {
        profile,
        bases,
        campaignId,
        campaign: campaigns.get(campaignId),
        held,
        spend: spend?.get(campaignId),
        hasFigures: spend !== undefined && spend.size > 0,
      }));
    }
  }
  return weeks;
}

function weekOfCampaign(
  schedule: Schedule,
  things: readonly Movable[],
  { profile, bases, campaignId, campaign, held, spend, hasFigures }: {
    readonly profile: ProfileClient;
    readonly bases: ReadonlyMap<string, number>;
    readonly campaignId: string;
    readonly campaign: Readonly<Record<string, unknown>> | undefined;
    readonly held: ReadonlySet<string>;
    readonly spend: readonly (readonly number[])[] | undefined;
    readonly hasFigures: boolean;
  },
): CampaignWeek {
  const { name, move, on = "worker" } = schedule;
  const { countryCode } = profile;
  const steps = weekOf(schedule, { step: STEP }).flat();
  const distinct = [...new Set(steps)];
  const factors = weekOf(schedule);
  let problem: string | null = null;
  let rules = 0;
  let lowest: number | undefined;
  if (on === "platform") {
    try {
      const compiled = platformSchedule(schedule, profile.timeZone, { countryCode });
      rules = compiled.rules.length;
      lowest = compiled.lowest;
    } catch (error) {
      problem = (error as Error).message;
    }
  }
  const free = things.filter((thing) => !held.has(movableKey(thing)));
  const amounts = things.map((thing) => {
    if (held.has(movableKey(thing))) return { low: thing.live, high: thing.live, changes: 0 };
    const base = bases.get(movableKey(thing)) ?? thing.live;
    const market = { ...schedule, ...marketOf(thing, profile) };
    const wanted = new Map(distinct.map((factor) => [factor, amountFor(factor, base, market)]));
    const all = steps.map((factor) => wanted.get(factor)!);
    const changes = all.filter((amount, index) => amount !== all.at(index - 1)).length;
    return { low: Math.min(...all), high: Math.max(...all), changes };
  });
  const high = Math.max(...amounts.map((one) => one.high));
  return {
    campaignId,
    campaign: String(campaign?.["name"] ?? ""),
    schedule: name,
    move,
    on,
    factors,
    things: free.length,
    held: things.length - free.length,
    low: Math.min(...amounts.map((one) => one.low)),
    high,
    effectiveHigh: move === "bid" ? Number((high * bidFactor(campaign)).toFixed(4)) : null,
    writes: lowest === undefined ? amounts.reduce((sum, { changes }) => sum + changes, 0) : free.length,
    rules: free.length === 0 ? 0 : rules,
    risk: !hasFigures
      ? null
      : factors.map((day, at) =>
        day.map((factor, hour) =>
          Number(((spend?.[at]?.[hour] ?? 0) * Math.max(0, free.length === 0 ? 0 : factor - 1)).toFixed(4))
        )
      ),
    problem,
  };
}

async function hourlySpend(
  profile: ProfileClient,
  store: Pick<Warehouse, "query">,
): Promise<Map<string, number[][]>> {
  const today = dayIn(profile.timeZone, profile.transport.now());
  const where = `profile_id = '${profile.profileId}' AND date BETWEEN '${addDays(today, -DAYS)}' AND '${
    addDays(today, -1)
  }'`;
  const found = new Map<string, number[][]>();
  const add = (id: string, { day, hour, cost }: { day: string; hour: number; cost: number }): void => {
    const weeks = found.get(id) ?? Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
    weeks[dayOfWeek(day) - 1]![hour]! += cost / (DAYS / 7);
    found.set(id, weeks);
  };
  const hours = await store.query(
    `SELECT campaign_id AS id, date AS day, hour, sum(cost) AS cost FROM performance_hourly WHERE ${where}
    GROUP BY campaign_id, date, hour`,
    [],
    { maxRows: 5_000_000 },
  );
  for (const row of hours.rows) {
    add(String(row["id"]), {
      day: String(row["day"]).slice(0, 10),
      hour: Number(row["hour"]),
      cost: Number(row["cost"]),
    });
  }
  if (found.size > 0) return found;
  const days = await store.query(
    `SELECT campaign_id AS id, date AS day, sum(cost) AS cost FROM budget_pressure WHERE ${where} GROUP BY campaign_id, date`,
    [],
    { maxRows: 5_000_000 },
  );
  for (const row of days.rows) {
    for (let hour = 0; hour < 24; hour++) {
      add(String(row["id"]), {
        day: String(row["day"]).slice(0, 10),
        hour,
        cost: Number(row["cost"]) / 24,
      });
    }
  }
  return found;
}

export async function storedHours(
  profile: ProfileClient,
  store: Pick<Warehouse, "query">,
  { days, campaignIds }: { readonly days: number; readonly campaignIds?: readonly string[] | undefined },
): Promise<{ day: string; hour: number; clicks: number; orders: number }[]> {
  const today = dayIn(profile.timeZone, profile.transport.now());
  const only = campaignIds === undefined
    ? ""
    : ` AND campaign_id IN (${campaignIds.map((id) => `'${id}'`).join(", ")})`;
  const { rows } = await store.query(
    `SELECT date AS day, hour, sum(clicks) AS clicks, sum(orders) AS orders FROM performance_hourly
    WHERE profile_id = '${profile.profileId}' AND date BETWEEN '${addDays(today, -days)}' AND '${
      addDays(today, -1)
    }'${only} GROUP BY date, hour`,
    [],
    { maxRows: 1_000_000 },
  );
  return rows.map((row) => ({
    day: String(row["day"]).slice(0, 10),
    hour: Number(row["hour"]),
    clicks: Number(row["clicks"] ?? 0),
    orders: Number(row["orders"] ?? 0),
  }));
}
