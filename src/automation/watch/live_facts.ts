import { catalog } from "../../platform/catalog/catalog.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, dayIn, dayOf, zonedDateTime } from "../../base/time/calendar.ts";
import { experimentsIn } from "../../plans/store/running_experiments.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { OpenFacts } from "../../plans/policy/only_rises.ts";
import type { BudgetUsage } from "../../client/entities/resource/budget_usage.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import { ScheduleState } from "../schedules/schedule_state.ts";
import { streamStatus } from "../../store/stream/stream_status.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { OwnSubject, OwnSubjects } from "./own_facts.ts";
import { BASELINE_WEEKS, usual } from "./watch_names.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const STALE_HOURS = 3;

/** The last run of a service timer, as stored by the service. */
export interface TimerRun {
  /** Name of the timer. */
  readonly timer: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Outcome of the run; `null` while it is running. */
  readonly outcome: "done" | "failed" | "stopped" | null;
  /** Result or problem, in a sentence. */
  readonly detail: string | null;
  /** Due time of the last completed run, in milliseconds since the epoch; `null` before the first. */
  readonly doneDue: number | null;
}

export async function todaySubjects(
  profile: ProfileClient,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
): Promise<OwnSubject[]> {
  const subjects: OwnSubject[] = [];
  for (const resource of [profile.sp.campaigns, profile.sd.campaigns]) {
    const names = new Map<string, string>();
    const enabled = resource === profile.sp.campaigns
      ? await profile.sp.campaigns.list({ states: ["ENABLED"], signal })
      : await profile.sd.campaigns.list({ states: ["ENABLED"], signal });
    for (const { campaignId, name } of enabled) names.set(campaignId, name ?? campaignId);
    if (names.size === 0) continue;
    const { successes } = await resource.budgetUsage([...names.keys()], { signal });
    for (const { entity } of successes as readonly { readonly entity?: BudgetUsage }[]) {
      if (entity?.campaignId === undefined) continue;
      const { campaignId, budget, budgetUsagePercent, usageUpdatedTimestamp } = entity;
      const counted = Date.parse(usageUpdatedTimestamp);
      const at = Number.isNaN(counted) ? now : counted;
      // A count of yesterday says nothing about today.
      if (dayIn(profile.timeZone, at) !== dayIn(profile.timeZone, now)) continue;
      const { minuteOfDay: minute } = zonedDateTime(at, profile.timeZone);
      const campaign = names.get(campaignId) ?? campaignId;
      subjects.push({
        key: campaignId,
        label: campaign,
        facts: {
          campaign,
          campaign_id: campaignId,
          budget: Number(budget),
          budget_used: Number(budgetUsagePercent) / 100,
          hour: minute / 60,
        },
        lines: [`Counted at ${clock(minute)} in the market`],
      });
    }
  }
  return subjects;
}

export async function hourSubjects(
  store: Pick<Warehouse, "query">,
  { profile: { profileId, timeZone }, now }: { readonly profile: ProfileClient; readonly now: number },
): Promise<OwnSubjects> {
  const today = dayIn(timeZone, now);
  const hourNow = zonedDateTime(now, timeZone).hour;
  const days = Array.from({ length: BASELINE_WEEKS }, (_, week) => addDays(today, -7 * (week + 1)));
  const { rows } = await store.query(
    `SELECT date, hour, campaign_id, max(currency) AS currency, sum(impressions) AS impressions, sum(clicks) AS clicks,
      sum(cost) AS cost, sum(orders) AS orders FROM performance_hourly
    WHERE profile_id = '${profileId}' AND date IN (${[today, ...days].map((day) => `'${day}'`).join(", ")})
    GROUP BY date, hour, campaign_id`,
    [],
    { maxRows: 1_000_000 },
  );
  const read = rows.map((row) => ({
    day: String(row["date"]).slice(0, 10),
    hour: Number(row["hour"]),
    campaign: String(row["campaign_id"]),
    row,
  }));
  const own = read.filter(({ day, hour }) => day === today && hour < hourNow);
  const last = own.reduce((latest, { hour }) => Math.max(latest, hour), -1);
  if (last < 0) return { why: `No whole hour of ${today} is stored: consumeStream() stores them` };
  const names = await campaignNames(store, profileId);
  const stored = new Set(read.filter(({ day }) => day !== today).map(({ day }) => day));
  const subjects = [...Map.groupBy(own, ({ campaign }) => campaign)].map(([id, hours]): OwnSubject => {
    const campaign = names.get(id) ?? id;
    const sum = (of: readonly typeof read[number][], metric: string): number =>
      of.reduce((total, { row }) => total + Number(row[metric] ?? 0), 0);
    const before = read.filter((one) => one.campaign === id && one.day !== today && one.hour <= last);
    const median = usual(
      [...stored].map((day) => sum(before.filter((one) => one.day === day), "cost")),
      "median",
    );
    const lastHour = hours.filter(({ hour }) => hour === last);
    const currency = hours[0]?.row["currency"];
    return {
      key: id,
      label: campaign,
      facts: {
        campaign,
        campaign_id: id,
        hour: last,
        ...Object.fromEntries(
          (["impressions", "clicks", "cost", "orders"] as const).flatMap((metric) => [
            [`${metric}1h`, sum(lastHour, metric)],
            [`${metric}_today`, sum(hours, metric)],
          ]),
        ),
        ...(median === undefined ? {} : { cost_today_median: median }),
        ...(typeof currency === "string" ? { currency } : {}),
      },
      lines: [`Seen: hours up to ${clock(60 * (last + 1))} in the market`],
    };
  });
  return hourNow - last <= STALE_HOURS ? subjects : {
    subjects,
    why: `The newest stored hour is ${clock(60 * last)}: streamStatus() shows what is behind`,
    open: STALE,
  };
}

/** Facts that are outdated if the stream is delayed: daily sums can only have grown since. */
const STALE: OpenFacts = {
  growing: new Set(["impressions_today", "clicks_today", "cost_today", "orders_today"]),
  unknown: new Set(["impressions1h", "clicks1h", "cost1h", "orders1h", "hour"]),
};

export async function streamSubjects(
  store: Warehouse,
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<OwnSubject[]> {
  const { datasets, rejected } = await streamStatus(store, { now: () => now });
  return datasets.filter((one) => one.profile_id === profileId).map((one) => ({
    key: one.dataset,
    label: one.dataset,
    facts: {
      dataset: one.dataset,
      records: one.records,
      rejected,
      ...(one.behind_minutes === null ? {} : { behind_hours: one.behind_minutes / 60 }),
    },
    lines: [`The newest record came at ${one.received_at}`],
  }));
}

export async function experimentSubjects(
  plans: readonly PlanStore[],
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<OwnSubject[]> {
  const begun = (await Promise.all(plans.map(({ path }) => experimentsIn(path, now)))).flat();
  const today = dayOf(now);
  return begun.filter((one) => one.profileId === profileId && one.state !== "undone").map((one) => {
    const left = (Date.parse(one.until) - Date.parse(today)) / DAY;
    return {
      key: one.planId,
      label: one.note ?? one.planId,
      facts: {
        plan: one.planId,
        note: one.note ?? one.planId,
        held: one.experiment.held.length,
        weeks: one.experiment.weeks,
        days_left: Math.max(0, left),
        ...(left < 0 ? { ended_days: -left } : {}),
      },
      lines: [
        `Applied on ${one.appliedAt.slice(0, 10)}, ${left < 0 ? "ended" : "runs until"} ${one.until}`,
      ],
      next: `planOutcome() of "${one.rollout ?? one.planId}" compares changed entities with those held back`,
    };
  });
}

export async function operationSubjects({ today }: { readonly today: string }): Promise<OwnSubject[]> {
  const used = new Set(Object.values(KINDS).flatMap(({ operations }) => Object.values(operations).flat()));
  return (await catalog.operations()).flatMap(({ id, deprecated }): OwnSubject[] => {
    if (deprecated?.shutoff === undefined) return [];
    const { shutoff, replacedBy } = deprecated;
    return [{
      key: id,
      label: id,
      facts: {
        operation: id,
        ends_days: (Date.parse(shutoff) - Date.parse(today)) / DAY,
        used: used.has(id) ? 1 : 0,
      },
      lines: [
        `It ends on ${shutoff}${replacedBy.length === 0 ? "" : `. Use ${replacedBy.join(" or ")}`}`,
      ],
      next: "Look for its name in your programs",
    }];
  });
}

export async function scheduleSubjects(
  place: string,
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<OwnSubject[]> {
  const state = await ScheduleState.open(place);
  try {
    return await keptSubjects(state, { profileId, now });
  } finally {
    await state.close();
  }
}

async function keptSubjects(
  state: ScheduleState,
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<OwnSubject[]> {
  const kept = (await state.bases(profileId)).filter((base) => base.kept !== null);
  return await Promise.all(kept.map(async ({ kind, id, move, schedule, label, base, wrote, kept: why }) => {
    const history = await state.history(profileId, { id, limit: 50 });
    const since = history.filter((line) => line.kind === kind && line.move === move && line.why === why)
      .at(-1)?.at;
    return {
      key: `${kind} ${id} ${move}`,
      label,
      facts: {
        schedule,
        entity: label,
        move,
        base,
        wrote,
        ...(since === undefined ? {} : { kept_days: Math.floor((now - Date.parse(since)) / DAY) }),
      },
      lines: [`${move} of ${kind} ${label}: ${why}`],
      next: "A person decides which base counts: decideBase()",
    };
  }));
}

export function timerSubjects(runs: readonly TimerRun[], now: number): OwnSubject[] {
  return runs.map(({ timer, attempt, outcome, detail, doneDue }) => ({
    key: timer,
    label: timer,
    facts: {
      timer,
      failures: outcome === "failed" ? attempt : 0,
      ...(doneDue === null ? {} : { hours_since_done: Math.max(0, (now - doneDue) / HOUR) }),
    },
    lines: outcome === "failed" && detail !== null ? [`Error: ${detail}`] : [],
  }));
}

async function campaignNames(
  store: Pick<Warehouse, "query">,
  profileId: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await store.query(
    ["sp", "sb", "sd"].map((product) =>
      `SELECT campaign_id, campaign_name FROM ${product}_campaigns WHERE profile_id = '${profileId}'`
    ).join(" UNION ALL "),
    [],
    { maxRows: 1_000_000 },
  );
  return new Map(rows.map(({ campaign_id: id, campaign_name: name }) => [String(id), String(name)]));
}

function clock(minute: number): string {
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${pad(minute / 60)}:${pad(minute % 60)}`;
}
