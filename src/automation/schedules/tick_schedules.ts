import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { WritePolicy } from "../../plans/model/write_policy.ts";
import { placeOf, type Warehouse } from "../../store/warehouse/warehouse.ts";
import { ANYTHING, liveOf, moveAmounts, NOTHING, type TickResult } from "./move_amounts.ts";
import { keepCalendars } from "./kept_calendars.ts";
import { withoutHeld } from "./without_held.ts";
import { lowestBids, PlatformRules } from "./platform_rules.ts";
import type { Schedule } from "./schedule.ts";
import { type KeptBase, ScheduleState } from "./schedule_state.ts";
import { type PlatformSchedule, platformSchedule } from "./schedule_rules.ts";
import { type Movable, movableKey, readMovables } from "./scheduled_entities.ts";
import type { Moment } from "../../base/time/moment.ts";
import { decimalsFor, timeOf } from "./wanted_at.ts";

const HOUR = 3_600_000;

/** Options of {@linkcode tickSchedules}. */
export interface TickOptions {
  /** The schedules, in the order of the file. */
  readonly schedules: readonly Schedule[];
  /** Storage of base values: an open state, a store, or the path or address of one. */
  readonly state: ScheduleState | Warehouse | string;
  /** Moment for which amounts are computed. @default the time of the client */
  readonly now?: Moment | undefined;
  /** Policy applied in addition to the client's; changes that the policy denies or leaves to a person are not sent. */
  readonly policy?: WritePolicy | undefined;
  /** Place to save the plan, its journal and the plan that undoes it. @default not kept */
  readonly plans?: PlanStore | undefined;
  /** False for a dry run, which plans only: nothing is sent or stored. @default true */
  readonly send?: boolean | undefined;
  /** Aborts reading the account and sending requests; the request in flight is completed. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings an account to the values that schedules want now: reads live values, plans the difference as an ordinary
 * plan, and applies it through policy, ledger and journal. There is no separate restore step: the next tick corrects
 * whatever a lost, killed or refused tick left undone. Ticks of one profile never overlap. Skips stopped schedules; a
 * schedule without a tick for longer than `expiresHours` is restored and stopped. With `on: platform`, platform rules
 * carry out the schedule: a tick sets bids to the lowest of the grid and maintains the rules that raise them.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadSchedules, tickSchedules } from "@platform/ads/schedules";
 *
 * async function tick(us: ProfileClient): Promise<void> {
 *   const { schedules } = await loadSchedules("schedules.yaml");
 *   const { result, kept } = await tickSchedules(us, { schedules, state: "ads.sqlite" });
 *   console.log(result?.summary() ?? "Nothing to do", kept);
 * }
 * ```
 */
export async function tickSchedules(profile: ProfileClient, options: TickOptions): Promise<TickResult> {
  return await withState(options.state, async (state) => {
    const now = momentOf(profile, options);
    const done = await state.alone(profile.profileId, async () => {
      const stopped = await state.stopped(profile.profileId);
      const expired = expiredOf(options.schedules, await state.runs(profile.profileId), now);
      const going = zoned(profile, options.schedules).filter(({ name }) =>
        !stopped.has(name) && !expired.includes(name)
      );
      const onPlatform = going.filter(({ on }) => on === "platform").map((schedule) =>
        compiled(schedule, profile)
      );
      const schedules = [
        ...going.filter(({ on }) => on !== "platform"),
        ...onPlatform.map(lowestBids),
      ];
      const parts = { ...options, state, now, bases: new Map() };
      const selected = await readMovables(profile, schedules, options);
      const selecting = new Set(selected.flatMap((movable) => movable.schedules.map(({ name }) => name)));
      const idle = going.flatMap(({ name }) => selecting.has(name) ? [] : [name]);
      if (options.send !== false) {
        await keepCalendars(profile, options.schedules, { state, movables: selected, now });
      }
      const { movables: all, kept } = await withoutHeld(
        profile,
        selected,
        { state, onPlatform: onPlatform.map(({ schedule: { name } }) => name) },
      );
      const rules = await PlatformRules.read(profile, onPlatform, { movables: all, parts });
      const movables = rules.allowed(all);
      const bases = await basesOf(profile, movables, { state, now, send: options.send });
      const left = leftBehind(movables, bases, {
        // Bases of a stopped schedule with rules are put back when the rules are not felt any more.
        stays: (name) => rules.held.has(name) || (stopped.has(name) && !rules.has(name)),
      });
      const moved = await moveAmounts(profile, [...movables, ...await liveOf(profile, left)], {
        ...parts,
        held: rules.held,
        bases,
      });
      const result = { ...moved, kept: [...moved.kept, ...kept] };
      // Bids are at their lowest before any rule raises them.
      const sent = await rules.send();
      if (options.send === false) return { ...result, rules: sent, expired, idle };
      await putBack(profile, left, state);
      await rules.forget();
      for (const { name } of going) {
        const note = idle.includes(name) ? "it selects nothing" : noteOf(name, { ...result, rules: sent });
        await state.mark(profile.profileId, [name], { state: "running", at: now, note });
      }
      await stopExpired(expired, { state, profileId: profile.profileId, now });
      return { ...result, rules: sent, expired, idle };
    });
    return done?.result ?? { ...NOTHING, busy: true };
  });
}

function noteOf(schedule: string, { plan, result, kept, refused, rules }: TickResult): string {
  const summary = result?.summary().split("\n").filter((line) => line !== "").join("; ");
  const notMoved = refused.filter((one) => one.schedule === schedule);
  const left = kept.filter((one) => one.schedule === schedule);
  return [
    summary ?? (plan === undefined && notMoved.length === 0 ? "nothing to do" : []),
    notMoved.length === 0
      ? []
      : `${notMoved.length} not moved, first ${notMoved[0]!.label}: ${notMoved[0]!.why}`,
    left.length === 0 ? [] : `${left.length} left alone, first ${left[0]!.label}: ${left[0]!.why}`,
    (rules?.refused ?? []).slice(0, 1).map(({ label, why }) => `rules left alone, first ${label}: ${why}`),
  ].flat().join("; ");
}

function expiredOf(
  schedules: readonly Schedule[],
  runs: ReadonlyMap<string, { readonly state: string; readonly at: string }>,
  now: number,
): string[] {
  return schedules.flatMap(({ name, expiresHours = Infinity }) => {
    const run = runs.get(name);
    const isOver = run?.state === "running" && now - Date.parse(run.at) > expiresHours * HOUR;
    return isOver ? [name] : [];
  });
}

async function stopExpired(
  expired: readonly string[],
  { state, profileId, now }: {
    readonly state: ScheduleState;
    readonly profileId: string;
    readonly now: number;
  },
): Promise<void> {
  const left = new Set(
    (await state.bases(profileId)).flatMap(({ schedule, kept }) => kept === null ? [schedule] : []),
  );
  await state.mark(profileId, expired.filter((name) => !left.has(name)), {
    state: "stopped",
    at: now,
    note: "expired: no tick within the time set by expires, so bases were restored",
  });
}

/**
 * Stops schedules: restores the base values of everything they changed, reads the values again to verify them, and
 * keeps the schedules stopped until {@linkcode startSchedules}. Changes by others are left alone and reported.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { stopSchedules } from "@platform/ads/schedules";
 *
 * async function stop(us: ProfileClient): Promise<void> {
 *   const { kept } = await stopSchedules(us, { state: "ads.sqlite", names: ["nights"] });
 *   for (const { label, why } of kept) console.log(`${label} was not put back: ${why}`);
 * }
 * ```
 * @param options.names Schedules to stop. @default all of them
 * @throws {RangeError} for a name of no schedule that has run.
 */
export async function stopSchedules(
  profile: ProfileClient,
  { names, ...options }: Omit<TickOptions, "schedules"> & { readonly names?: readonly string[] | undefined },
): Promise<TickResult> {
  return await withState(options.state, async (state) => {
    const now = momentOf(profile, options);
    const done = await state.alone(profile.profileId, async () => {
      const all = await state.bases(profile.profileId);
      const own = all.filter(({ schedule }) => names?.includes(schedule) ?? true);
      const known = new Set([
        ...all.map(({ schedule }) => schedule),
        ...(await state.runs(profile.profileId)).keys(),
      ]);
      const unknown = names?.find((name) => !known.has(name));
      if (unknown !== undefined) {
        const list = known.size === 0 ? "none has" : `these have: ${[...known].sort().join(", ")}`;
        throw new RangeError(`Cannot stop schedule "${unknown}": it has never run in this profile; ${list}`);
      }
      const stopping = names ?? [...known];
      if (options.send !== false) {
        await state.mark(profile.profileId, stopping, { state: "stopped", at: now });
      }
      const parts = { ...options, state, now, bases: new Map() };
      const rules = await PlatformRules.read(profile, [], {
        movables: [],
        parts,
        ends: (name) => stopping.includes(name),
      });
      const sent = await rules.send();
      // A rule that was paused is felt for up to a day: a bid that was put back now would be raised by it.
      const held = await rules.heldNow();
      const back = own.filter(({ schedule }) => !held.has(schedule));
      const movables = await liveOf(profile, back);
      const bases = new Map(back.map((base) => [movableKey(base), base]));
      const moved = await moveAmounts(profile, movables, { ...options, state, now, bases, isStop: true });
      if (options.send !== false) {
        await putBack(profile, back, state);
        await rules.forget();
      }
      const result = {
        ...moved,
        rules: sent,
        counts: { ...moved.counts, held: moved.counts.held + own.length - back.length },
      };
      return result;
    });
    return done?.result ?? { ...NOTHING, busy: true };
  });
}

/**
 * Lets stopped schedules run again, starting with the next tick.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { startSchedules } from "@platform/ads/schedules";
 *
 * async function start(us: ProfileClient): Promise<void> {
 *   await startSchedules(us, { state: "ads.sqlite", names: ["nights"] });
 * }
 * ```
 */
export async function startSchedules(
  profile: Pick<ProfileClient, "profileId" | "transport">,
  { state: place, names }: { readonly state: TickOptions["state"]; readonly names: readonly string[] },
): Promise<void> {
  await withState(
    place,
    (state) => state.mark(profile.profileId, names, { state: "running", at: profile.transport.now() }),
  );
}

/**
 * Resolves a change by someone else: sets a new base value, or lets the schedule continue with the old one.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { decideBase } from "@platform/ads/schedules";
 *
 * async function decide(us: ProfileClient, id: string): Promise<void> {
 *   await decideBase(us, { state: "ads.sqlite", id, base: 0.8 });
 * }
 * ```
 * @throws {RangeError} for a base below 0, a bid or budget of 0, a base finer than the amounts of the market, which
 * could never be put back, and a value to adopt that is no longer in the account.
 */
export async function decideBase(
  profile: ProfileClient,
  { state: place, id, base, adopt = false, schedule }: {
    readonly state: TickOptions["state"];
    readonly id: string;
    /**
     * True to make the live value, divided by the factor, the new base.
     *
     * @default false
     */
    readonly adopt?: boolean | undefined;
    /**
     * Name of the only schedule whose base changes.
     *
     * @default all that move the entity
     */
    readonly schedule?: string | undefined;
    /**
     * The new base value in the account's currency. @default the base stays, and the next tick writes what is wanted
     */
    readonly base?: number | undefined;
  },
): Promise<readonly KeptBase[]> {
  return await withState(place, async (state) => {
    const found = (await state.bases(profile.profileId)).filter((one) =>
      one.id === id && (schedule === undefined || one.schedule === schedule)
    );
    for (const { move } of base === undefined ? [] : found) {
      const mustBeMore = move === "bid" || move === "budget";
      if (!Number.isFinite(base) || base! < 0 || mustBeMore && base === 0) {
        throw new RangeError(
          `Cannot use ${base} as a base: expected an amount ${mustBeMore ? "above 0" : "of at least 0"}`,
        );
      }
      const decimals = decimalsFor(move, profile.countryCode);
      if (Number(base!.toFixed(decimals)) === base) continue;
      throw new RangeError(
        `Cannot use ${base} as a base: amounts of ${
          move.replaceAll("_", " ")
        } in ${profile.countryCode} have ${decimals === 0 ? "no" : decimals} decimals`,
      );
    }
    // The decision is about what is live now: whatever is changed after it is somebody else's again.
    const live = new Map((await liveOf(profile, found)).map((one) => [movableKey(one), one.live]));
    const gone = adopt && base === undefined
      ? found.filter((one) => !live.has(movableKey(one))).map(({ label }) => label)
      : [];
    if (gone.length > 0) {
      throw new RangeError(
        `Cannot adopt the live value of ${[...new Set(gone)].join(", ")}: the account has none now. ` +
          "Set a base instead",
      );
    }
    const decided = found.map((one) => {
      const now = live.get(movableKey(one));
      const adopted = adopt && now !== undefined ? baseFor(now, one, profile) : undefined;
      return { ...one, base: base ?? adopted ?? one.base, kept: null, wrote: now ?? ANYTHING };
    });
    const why = base === undefined && !adopt ? "a person resumed the schedule" : "a person set the base";
    await state.keep(profile.profileId, decided.map((one) => ({ ...one, why })), profile.transport.now());
    return decided;
  });
}

/** Base that gives a live value at the current factor. */
function baseFor(
  live: number,
  { factor, move }: KeptBase,
  { countryCode }: Pick<ProfileClient, "countryCode">,
): number {
  return factor > 0 ? Number((live / factor).toFixed(decimalsFor(move, countryCode))) : live;
}

async function putBack(
  profile: ProfileClient,
  own: readonly KeptBase[],
  state: ScheduleState,
): Promise<void> {
  if (own.length === 0) return;
  const after = new Map((await liveOf(profile, own)).map((one) => [movableKey(one), one.live]));
  const back = own.filter((base) => {
    const live = after.get(movableKey(base));
    return live === undefined || live === base.base;
  });
  await state.forget(profile.profileId, back);
}

function leftBehind(
  movables: readonly Movable[],
  bases: ReadonlyMap<string, KeptBase>,
  { stays }: { readonly stays: (schedule: string) => boolean },
): KeptBase[] {
  const selected = new Set(movables.map(movableKey));
  return [...bases].flatMap(([key, base]) => selected.has(key) || stays(base.schedule) ? [] : [base]);
}

async function basesOf(
  { profileId }: ProfileClient,
  movables: readonly Movable[],
  { state, now, send = true }: {
    readonly state: ScheduleState;
    readonly now: number;
    readonly send?: boolean | undefined;
  },
): Promise<Map<string, KeptBase>> {
  const bases = new Map((await state.bases(profileId)).map((base) => [movableKey(base), base]));
  const first = movables.filter((movable) => !bases.has(movableKey(movable)))
    // Nothing that somebody else paused is ever enabled.
    .filter(({ move, live }) => move !== "state" || live > 0)
    .map(({ kind, id, move, label, live, schedules }) => ({
      kind,
      id,
      move,
      label,
      schedule: schedules[0]?.name ?? "",
      base: live,
      factor: 1,
      wrote: live,
      intends: null,
      kept: null,
      why: "the live value became its base",
    }));
  if (send) await state.keep(profileId, first, now);
  for (const { why: _, ...base } of first) bases.set(movableKey(base), base);
  return bases;
}

function compiled(schedule: Schedule, { timeZone, countryCode }: ProfileClient): PlatformSchedule {
  try {
    return platformSchedule(schedule, timeZone, { countryCode });
  } catch (error) {
    throw new ConfigurationError((error as Error).message, { cause: error });
  }
}

function zoned(profile: ProfileClient, schedules: readonly Schedule[]): Schedule[] {
  return schedules.map((schedule) =>
    schedule.zone === undefined ? { ...schedule, zone: profile.timeZone } : schedule
  );
}

function momentOf(profile: ProfileClient, { now }: Pick<TickOptions, "now">): number {
  return now === undefined ? profile.transport.now() : timeOf(now);
}

async function withState<T>(
  place: TickOptions["state"],
  work: (state: ScheduleState) => Promise<T>,
): Promise<T> {
  if (place instanceof ScheduleState) return await work(place);
  const state = await ScheduleState.open(typeof place === "string" ? place : placeOf(place));
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}
