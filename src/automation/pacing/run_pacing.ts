import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays, type Day, dayIn } from "../../base/time/calendar.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { WritePolicy } from "../../plans/model/write_policy.ts";
import { liveOf, moveAmounts, type MoveParts, NOTHING, type TickResult } from "../schedules/move_amounts.ts";
import { type KeptBase, ScheduleState } from "../schedules/schedule_state.ts";
import { liveAmount, type Movable, movableKey } from "../schedules/scheduled_entities.ts";
import { withoutHeld } from "../schedules/without_held.ts";
import { placeOf, type Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Alert } from "../watch/alert.ts";
import { deliverAlerts } from "../watch/deliver_alerts.ts";
import { WatchState } from "../watch/watch_state.ts";
import { budgetMoves, type MoveBounds } from "./budget_moves.ts";
import { pacingAlerts } from "./pacing_alerts.ts";
import { IMMATURE_DAYS, missingText } from "./pace.ts";
import type { PacingFile } from "./pacing_file.ts";
import { type CampaignOfBudget, NO_CAMPAIGN, type PacingStatus, readSpend } from "./read_pacing.ts";

/** Options of {@linkcode runPacing}. */
export interface PacingOptions {
  /** Amounts and channels. */
  readonly file: PacingFile;
  /** Store of figures; only its campaign reports are read. */
  readonly store: Warehouse;
  /** Location of the store for base values and alerts. @default that of `store` */
  readonly state?: string | undefined;
  /** Current time in milliseconds since the epoch. @default the time of the client */
  readonly now?: number | undefined;
  /** Policy applied in addition to the client's; changes that the policy denies or leaves to a person are not sent. */
  readonly policy?: WritePolicy | undefined;
  /** Place to save the plan, its journal and the plan that undoes it. @default not kept */
  readonly plans?: PlanStore | undefined;
  /** Environment, for addresses and secrets of channels. @default none */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Writes an alert for the standard output channel. @default a line with its title */
  readonly write?: ((alert: Alert) => void | Promise<void>) | undefined;
  /** Sends requests to channels. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Rewrites advice in alerts, for example to name commands instead of library functions. @default unchanged */
  readonly words?: ((advice: string) => string) | undefined;
  /** True to keep alerts below `urgent` for a later time, for example at night. @default false */
  readonly urgentOnly?: boolean | undefined;
  /** Aborts reading the account and sending requests; the request in flight is completed. */
  readonly signal?: AbortSignal | undefined;
}

/** Changes, alerts and statuses of one run. */
export interface PacingResult extends TickResult {
  /** Spend compared with each amount, in the order of the file. */
  readonly statuses: readonly PacingStatus[];
  /** Alerts that are new. */
  readonly raised: readonly Alert[];
  /** Number of successful deliveries. */
  readonly delivered: number;
  /** Failed deliveries, which will be retried. */
  readonly failed: readonly { readonly id: string; readonly channel: string; readonly problem: string }[];
  /** Amounts that were not judged or whose raises are on hold, and why. */
  readonly unjudged: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Runs the pacing of a file once and raises alerts. If the file allows it, lowers daily budgets by one step a day,
 * pauses campaigns when the amount is spent, and restores its own changes when there is room again or the next period
 * begins. Never raises a budget above its value before it was lowered, and leaves changes by others alone. If a run is
 * lost or killed, the next one catches up.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadPacing, runPacing } from "@platform/ads/pacing";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function pace(us: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { raised, result } = await runPacing(us, { file: await loadPacing("pacing.yaml"), store });
 *   console.log(raised.map(({ title }) => title), result?.summary() ?? "Nothing moved");
 * }
 * ```
 */
export async function runPacing(profile: ProfileClient, options: PacingOptions): Promise<PacingResult> {
  const { file, store, signal } = options;
  const now = options.now ?? profile.transport.now();
  const place = options.state ?? placeOf(store);
  const state = await ScheduleState.open(place, { use: "pacing" });
  try {
    const done = await state.alone(profile.profileId, async () => {
      const before = await state.spend(profile.profileId);
      const { statuses, seen } = await readSpend(profile, { file, store, now, signal, seen: before });
      await state.keepSpend(profile.profileId, seen, {
        since: firstDay(statuses, dayIn(profile.timeZone, now)),
      });
      await state.keepOwned(profile.profileId, ownedBy(statuses), { day: dayIn(profile.timeZone, now) });
      const scheduled = await schedulesMove(place, profile.profileId);
      const moves = await moveBudgets(profile, statuses, { options, state, now, scheduled });
      return { statuses, moves };
    });
    if (done === undefined) {
      return { ...NOTHING, busy: true, statuses: [], raised: [], delivered: 0, failed: [], unjudged: [] };
    }
    const { statuses, moves } = done.result;
    const alerts = await pacingAlerts(statuses, { profile, now, moved: moves.moved, words: options.words });
    const watch = await WatchState.open(place);
    try {
      const channels = file.channels.map(({ name }) => name);
      const raised = await watch.raise(
        alerts.map(({ alert, quietDays }) => ({ alert, quietDays, channels, isComplete: true })),
      );
      const deliveries = await deliverAlerts({
        state: watch,
        profileId: profile.profileId,
        isOwn: ({ over }) => over === "pacing",
        channels: file.channels,
        env: options.env ?? {},
        write: options.write ?? (({ title }) => console.log(title)),
        fetch: options.fetch,
        urgentOnly: options.urgentOnly,
        now,
        signal,
      });
      return { ...moves.result, statuses, raised, ...deliveries, unjudged: moves.unjudged };
    } finally {
      await watch.close();
    }
  } finally {
    await state.close();
  }
}

function ownedBy(statuses: readonly PacingStatus[]): Map<string, string> {
  const owned = new Map<string, string>();
  for (const { budget: { name }, pace, campaigns } of statuses) {
    if (pace === undefined) continue;
    for (const { id } of campaigns) if (!owned.has(id)) owned.set(id, name);
  }
  return owned;
}

function firstDay(statuses: readonly PacingStatus[], today: Day): Day {
  return statuses.reduce(
    (first, { pace }) => pace !== undefined && pace.period.start < first ? pace.period.start : first,
    addDays(today, -IMMATURE_DAYS),
  );
}

/**
 * Returns the amounts changed by schedules, each with the name of its schedule. Pacing leaves them alone, because two
 * programs would undo each other's changes.
 */
export async function schedulesMove(place: string, profileId: string): Promise<ReadonlyMap<string, string>> {
  const schedules = await ScheduleState.open(place);
  try {
    return new Map((await schedules.bases(profileId)).map((base) => [movableKey(base), base.schedule]));
  } finally {
    await schedules.close();
  }
}

interface Moves {
  readonly result: TickResult;
  readonly unjudged: readonly { readonly name: string; readonly why: string }[];
  readonly moved: ReadonlyMap<string, string>;
}

async function moveBudgets(
  profile: ProfileClient,
  statuses: readonly PacingStatus[],
  { options, state, now, scheduled }: {
    readonly options: PacingOptions;
    readonly state: ScheduleState;
    readonly now: number;
    readonly scheduled: ReadonlyMap<string, string>;
  },
): Promise<Moves> {
  const { profileId } = profile;
  const today = dayIn(profile.timeZone, now);
  const kept = new Map((await state.bases(profileId)).map((base) => [movableKey(base), base]));
  const steps = await lastSteps(state, profileId);
  const wanted = new Map<string, Movable>();
  const untouched = new Set<string>();
  const unjudged: { name: string; why: string }[] = [];
  const undecided = new Set<string>();
  for (const status of statuses) {
    const { budget: { name, over = "alert" }, pace, notes } = status;
    const own = [...kept.values()].filter((base) => base.schedule === name);
    if (over !== "alert" && notes.includes(NO_CAMPAIGN)) {
      unjudged.push({ name, why: NO_CAMPAIGN });
      for (const base of own) untouched.add(movableKey(base));
    }
    if (over === "alert" || pace === undefined) continue;
    const last = steps.get(name);
    // What was changed in an earlier period is put back first; this period's moves begin with the next run.
    if (last !== undefined && last.period !== pace.period.start) continue;
    // More may have been spent than is known: enough to lower and to pause, never to raise.
    const raisesWait = pace.missing.length > 0;
    if (raisesWait) unjudged.push({ name, why: options.words?.(missingText(pace)) ?? missingText(pace) });
    for (const movable of wantedStates(status, kept)) add(movable);
    if (last?.day !== today && !isSpent(status)) {
      const budgets = wantedBudgets(status, kept, profile)
        .filter(({ set, live }) => !raisesWait || set!.amount < live);
      for (const movable of budgets) add(movable);
      // A step down in the night may be all there is today; without one, the day's step waits for the missing day.
      if (raisesWait && budgets.length === 0) undecided.add(name);
    }
    for (const base of own) {
      if ((base.move === "budget" || raisesWait) && !wanted.has(movableKey(base))) {
        untouched.add(movableKey(base));
      }
    }
  }
  function add(movable: Movable): void {
    const key = movableKey(movable);
    // Of two amounts that hold one campaign, the first of the file moves it.
    if (!wanted.has(key) && !scheduled.has(key)) wanted.set(key, movable);
  }
  // What is spent stops everything: a limit of spend counts more than a comparison.
  const budgets = [...wanted.values()].filter(({ move }) => move === "budget");
  const { kept: held } = await withoutHeld(profile, budgets, { state });
  for (const one of held) wanted.delete(movableKey(one));
  const first: KeptBase[] = [...wanted].filter(([key]) => !kept.has(key)).map(([, movable]) => ({
    kind: movable.kind,
    id: movable.id,
    move: movable.move,
    label: movable.label,
    schedule: movable.set!.name,
    base: movable.live,
    factor: 1,
    wrote: movable.live,
    intends: null,
    kept: null,
  }));
  const left = [...kept].filter(([key]) => !wanted.has(key) && !untouched.has(key)).map(([, base]) => base);
  // Noted before anything is sent: a run that is killed takes its step with it, and no day has two.
  for (const { budget: { name }, pace } of statuses) {
    if (pace === undefined) continue;
    const day = undecided.has(name) ? steps.get(name)?.day : today;
    await state.mark(profileId, [name], {
      state: "running",
      at: now,
      note: JSON.stringify({ period: pace.period.start, day }),
    });
  }
  await state.keep(profileId, first.map((base) => ({ ...base, why: "the live value became its base" })), now);
  const bases = new Map([...kept, ...first.map((base) => [movableKey(base), base] as const)]);
  const { policy, plans, signal } = options;
  const parts: MoveParts = { policy, plans, signal, state, now, bases, title: "Pacing" };
  const moved = await moveAmounts(profile, [...wanted.values(), ...await liveOf(profile, left)], parts);
  const result = { ...moved, kept: [...moved.kept, ...held] };
  await forgetBack(profile, { state, left, wanted });
  return { result, unjudged: [...unjudged, ...clashes(statuses, scheduled)], moved: movedWords(result) };
}

async function lastSteps(
  state: ScheduleState,
  profileId: string,
): Promise<Map<string, { readonly period: Day; readonly day?: Day }>> {
  return new Map(
    [...await state.runs(profileId)].flatMap(([name, { note }]) =>
      note === null ? [] : [[name, JSON.parse(note) as { period: Day; day?: Day }] as const]
    ),
  );
}

function wantedStates(status: PacingStatus, kept: ReadonlyMap<string, KeptBase>): Movable[] {
  const { budget: { name, amount }, pace, campaigns } = status;
  if (!isSpent(status)) return [];
  return campaigns.flatMap((campaign) => {
    const movable = movableOf(campaign, "state");
    // Nothing that was paused before is taken for a campaign that pacing paused.
    if (!campaign.isOn && !kept.has(movableKey(movable))) return [];
    const reason = `${name}: ${pace!.spent} of ${amount} spent, paused until the end of ${pace!.period.end}`;
    return [{ ...movable, set: { name, amount: 0, reason } }];
  });
}

function isSpent({ budget: { over, amount }, pace }: PacingStatus): boolean {
  return over === "pause" && pace!.spent >= amount;
}

function wantedBudgets(
  status: PacingStatus,
  kept: ReadonlyMap<string, KeptBase>,
  profile: ProfileClient,
): Movable[] {
  const { budget: { name }, pace, campaigns } = status;
  const on = campaigns.filter(({ isOn }) => isOn).map((campaign) => ({
    ...campaign,
    upTo: kept.get(movableKey(movableOf(campaign, "budget")))?.base ?? campaign.budget,
    // What was lowered has room up to its base, also where it does not run out early.
    isFull: campaign.isFull || kept.has(movableKey(movableOf(campaign, "budget"))),
  }));
  const moves = budgetMoves(on, boundsOf(status, profile));
  return on.flatMap((campaign) => {
    const amount = moves.get(campaign.key);
    if (amount === undefined) return [];
    return [{
      ...movableOf(campaign, "budget"),
      set: {
        name,
        amount,
        reason: `${name}: ${pace!.spent} of ${pace!.amount} spent, today needs ${pace!.neededToday}`,
      },
    }];
  });
}

export function boundsOf({ budget, pace }: PacingStatus, { countryCode }: ProfileClient): MoveBounds {
  return {
    needed: pace!.neededToday,
    maxStep: budget.maxStep ?? 0.2,
    floor: budget.floor ?? 0,
    ceiling: budget.ceiling ?? Infinity,
    decimals: decimalsOf(countryCode),
  };
}

function movableOf({ kind, id, name, fields }: CampaignOfBudget, move: "budget" | "state"): Movable {
  return { kind, id, move, label: name, live: liveAmount(kind, fields, move) ?? 0, fields, schedules: [] };
}

async function forgetBack(
  profile: ProfileClient,
  { state, left, wanted }: {
    readonly state: ScheduleState;
    readonly left: readonly KeptBase[];
    readonly wanted: ReadonlyMap<string, Movable>;
  },
): Promise<void> {
  if (left.length === 0) return;
  const after = new Map((await liveOf(profile, left)).map((one) => [movableKey(one), one.live]));
  const now = new Map((await state.bases(profile.profileId)).map((base) => [movableKey(base), base]));
  const back = left.filter((base) => {
    const key = movableKey(base);
    const live = after.get(key);
    return !wanted.has(key) && (live === undefined || live === base.base || now.get(key)?.kept !== null);
  });
  await state.forget(profile.profileId, back);
}

function clashes(
  statuses: readonly PacingStatus[],
  scheduled: ReadonlyMap<string, string>,
): { name: string; why: string }[] {
  return statuses.flatMap(({ budget: { name, over = "alert" }, campaigns }) => {
    if (over === "alert") return [];
    const moved = campaigns.flatMap((one) =>
      (["budget", "state"] as const).flatMap((move) => scheduled.get(movableKey({ ...one, move })) ?? [])
    );
    if (moved.length === 0) return [];
    return [{
      name,
      why: `${moved.length} campaigns are left alone, because schedule ${moved[0]} controls them`,
    }];
  });
}

function movedWords({ result, plan }: TickResult): Map<string, string> {
  if (result === undefined || plan === undefined) return new Map();
  const names = Map.groupBy(plan.changes, ({ evidence }) => (evidence?.reason ?? "").split(":")[0] ?? "");
  return new Map(
    [...names].map(([name, { length }]) => [name, `${length} campaigns were moved by plan ${plan.id}`]),
  );
}
