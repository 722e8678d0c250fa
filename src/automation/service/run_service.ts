import { marketOf } from "../../base/markets/markets.ts";
import { atMost, pause } from "../../base/time/clock.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import {
  isMarketOf,
  type ServiceFile,
  type ServiceTimer,
  type ServiceWork,
  strayMarkets,
} from "./model/service.ts";
import { ServiceState, type ServiceUnit } from "./model/service_state.ts";
import { type Standing, standingOf } from "./standing.ts";
import type { DoWork, WorkParts, WorkRun } from "./model/work_run.ts";
import { unitOf } from "./units/units.ts";

/** Profiles, stores and limits of a service. */
export interface ServiceOptions extends WorkParts {
  /** Service file with the timers, which run in the time zone of each profile. */
  readonly file: ServiceFile;
  /** True to run only what is due now, then end. @default false */
  readonly once?: boolean | undefined;
  /** Maximum number of simultaneous runs. @default 4 */
  readonly concurrency?: number | undefined;
  /** Called when a run begins and ends. */
  readonly onEvent?: ((event: ServiceEvent) => void) | undefined;
  /** Called after each check of the timers, with the state of every timer. */
  readonly onLook?: ((units: readonly ServiceStatus[]) => void) | undefined;
  /**
   * Called with the reason if the store could not be read, and the next check tries again; at the start, with markets
   * of DSP advertisers that match none of the profiles.
   */
  readonly onProblem?: ((reason: string) => void) | undefined;
  /** Waits for `seconds`. @default the runtime's timer */
  readonly sleep?: ((seconds: number) => Promise<void>) | undefined;
  /** Replacements for the built-in work, for testing a program. */
  readonly work?: Partial<Readonly<Record<ServiceWork, DoWork>>> | undefined;
  /** Stops the service: no new work starts, and running work is interrupted, for the next service to resume. */
  readonly signal?: AbortSignal | undefined;
}

/** Beginning or end of a run. Times are milliseconds since the epoch. */
export interface ServiceEvent {
  /** Kind of event; `stopped` means that the service was asked to end, and the next one continues the work. */
  readonly kind: "began" | "done" | "failed" | "stopped";
  /** Country of the timer's profile; `all` for work that covers the whole login. */
  readonly countryCode: string;
  /** Id of the timer's profile, digits as text; empty for work that covers the whole login. */
  readonly profileId: string;
  /** Name of the timer. */
  readonly timer: string;
  /** Time at which the run was due. */
  readonly due: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Duration in seconds; 0 at the beginning. */
  readonly seconds: number;
  /** Result or problem, in a sentence; empty at the beginning. */
  readonly detail: string;
}

/** A timer of a profile, with its last and next run. Times are milliseconds since the epoch. */
export interface ServiceStatus extends Standing {
  /** Country of the timer's profile; `all` for work that covers the whole login. */
  readonly countryCode: string;
  /** Id of the timer's profile, digits as text; empty for work that covers the whole login. */
  readonly profileId: string;
  /** Time zone of the timer; that of the file's first market for work that covers the whole login. */
  readonly timeZone: string;
  /** Name of the timer. */
  readonly timer: string;
  /** Start of the last run; `null` before the first. */
  readonly startedAt: number | null;
  /** End of the last run; `null` while it is running, or if its process was killed. */
  readonly endedAt: number | null;
  /** Outcome of the last run; `null` if it has not ended. */
  readonly outcome: "done" | "failed" | "stopped" | null;
  /** Result or problem of the last run; `null` if it has not ended. */
  readonly detail: string | null;
}

/** Maximum seconds between timer checks; they must be frequent, because another service may have stopped. */
const LOOK = 30;
const END_WITHIN = 8;

/**
 * Returns the state of every timer of every profile, ordered by profile and then as in the file.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { loadService, ServiceState, serviceStatus } from "@platform/ads/service";
 *
 * async function late(profiles: ProfileClient[]): Promise<string[]> {
 *   await using state = await ServiceState.open("ads.sqlite");
 *   const units = await serviceStatus(profiles, { file: await loadService("service.yaml"), state });
 *   return units.filter(({ isLate }) => isLate).map(({ countryCode, timer }) => `${countryCode} ${timer}`);
 * }
 * ```
 */
export async function serviceStatus(
  profiles: readonly Pick<ProfileClient, "profileId" | "countryCode" | "timeZone" | "transport">[],
  { file, state }: { readonly file: ServiceFile; readonly state: ServiceState },
): Promise<ServiceStatus[]> {
  const runs = Map.groupBy([...await state.pastRuns(), ...await state.runs()], keyOf);
  return unitsOf(profiles, file).map(({ profile: { transport }, timer, ...unit }) => {
    const own = runs.get(keyOf({ profileId: unit.profileId, timer: timer.name })) ?? [];
    const { startedAt = null, endedAt = null, outcome = null, detail = null } = own.at(-1) ?? {};
    const standing = standingOf(timer, own, { now: transport.now(), zone: unit.timeZone });
    return { ...standing, ...unit, timer: timer.name, startedAt, endedAt, outcome, detail };
  });
}

interface TimerUnit<Profile> {
  readonly profile: Profile;
  readonly profileId: string;
  readonly countryCode: string;
  readonly timeZone: string;
  readonly timer: ServiceTimer;
}

function unitsOf<Profile extends Pick<ProfileClient, "profileId" | "countryCode" | "timeZone">>(
  profiles: readonly Profile[],
  { timers, profiles: markets }: ServiceFile,
): TimerUnit<Profile>[] {
  return profiles.flatMap((profile, at) =>
    timers.flatMap((timer) => {
      const { profileId, countryCode, timeZone } = profile;
      if (!unitOf(timer.work).isShared) return [{ profile, timer, profileId, countryCode, timeZone }];
      const zone = sharedZone(profile, markets);
      return at === 0 ? [{ profile, timer, profileId: "", countryCode: "all", timeZone: zone }] : [];
    })
  );
}

/** Time zone of the file's first market, which may be missing from the profiles because it does not respond. */
function sharedZone(
  first: Pick<ProfileClient, "profileId" | "countryCode" | "timeZone">,
  markets: ServiceFile["profiles"],
): string {
  const market = markets === "all" ? first.profileId : markets[0]!;
  return isMarketOf(first, market) ? first.timeZone : marketOf(market)?.timeZone ?? first.timeZone;
}

/**
 * Runs the timers of a file until the signal fires: syncs, drift checks, schedule ticks, watches and scripts. Runs are
 * recorded in the store, so that several services on one store never do the same work twice. Work of a killed service
 * is taken over after a minute, and missed runs are made up for once. A failed run is retried after 5, 15, 60 and 120
 * minutes. Sends only the plans of schedules and pacing, and plans of rules that the policy lets apply without a
 * person.
 *
 * @throws {ConfigurationError} when the store cannot be opened.
 *
 * @example
 * ```ts
 * import { type PlatformAds, PlanStore } from "@platform/ads";
 * import { Warehouse } from "@platform/ads/store";
 * import { loadService, runService } from "@platform/ads/service";
 *
 * async function keep(ads: PlatformAds, signal: AbortSignal): Promise<void> {
 *   const place = "ads.sqlite";
 *   await using store = await Warehouse.open(place);
 *   const file = await loadService("service.yaml");
 *   const plans = PlanStore.open("plans");
 *   await runService([await ads.profile("US")], { file, place, store, plans, env: process.env, signal });
 * }
 * ```
 */
export async function runService(profiles: readonly ProfileClient[], options: ServiceOptions): Promise<void> {
  if (profiles.length === 0) throw new ConfigurationError("Cannot run the service: no profile is selected");
  const stray = strayMarkets(options.file, profiles);
  if (stray.length > 0) {
    options.onProblem?.(
      `Nothing requests the reports of advertisers for ${stray.join(", ")} in ${options.file.source}: ` +
        "the service has no such profile",
    );
  }
  const state = await ServiceState.open(options.place);
  try {
    await new ServiceLoop(profiles, { ...options, state }).run();
  } finally {
    await state.close();
  }
}

class ServiceLoop {
  readonly #profiles: readonly ProfileClient[];
  readonly #options: ServiceOptions & { readonly state: ServiceState };
  readonly #running = new Map<string, Promise<void>>();
  readonly #elsewhere = new Map<string, number>();
  readonly #stop = new AbortController();
  #pausing = new AbortController();

  constructor(
    profiles: readonly ProfileClient[],
    options: ServiceOptions & { readonly state: ServiceState },
  ) {
    this.#profiles = profiles;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { once = false, onProblem, signal, sleep } = this.#options;
    const stop = (): void => {
      this.#stop.abort(signal?.reason);
      this.#pausing.abort();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const tried = new Set<string>();
    try {
      for (let isFirst = true; !this.#stop.signal.aborted; isFirst = false) {
        let seconds = LOOK;
        try {
          const units = await this.#look(once ? tried : undefined);
          seconds = secondsUntil(units, this.#profiles[0]!.transport.now());
        } catch (error) {
          // A store that is away for a while does not end a service that runs.
          if (isFirst || once) throw error;
          onProblem?.((error as Error).message);
        }
        if (once && this.#running.size === 0) break;
        if (this.#stop.signal.aborted) break;
        this.#pausing = new AbortController();
        await pause(once ? undefined : seconds, { signal: this.#pausing.signal, sleep });
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      const ended = Promise.all(this.#running.values());
      if (this.#stop.signal.aborted) await atMost(END_WITHIN, ended);
      else await ended;
    }
  }

  async #look(tried: Set<string> | undefined): Promise<readonly ServiceStatus[]> {
    const { file, state, concurrency = 4, onLook } = this.#options;
    const units = await serviceStatus(this.#profiles, { file, state });
    onLook?.(units);
    for (const [at, { profile, timer, ...named }] of unitsOf(this.#profiles, file).entries()) {
      const unit = { profileId: named.profileId, timer: timer.name };
      const key = keyOf(unit);
      if (!units[at]!.isDue || this.#running.has(key) || tried?.has(key)) continue;
      // What waits for messages takes the place of nothing else.
      const others = [...this.#running.keys()].filter((one) => !one.startsWith(" "));
      if (!unitOf(timer.work).isShared && others.length >= concurrency) continue;
      if (this.#waits(timer, profile) || profile.transport.now() < (this.#elsewhere.get(key) ?? 0)) continue;
      tried?.add(key);
      const work = this.#start({ ...named, profile, timer }).finally(() => {
        this.#running.delete(key);
        // Work that ends may let other work begin.
        this.#pausing.abort();
      });
      this.#running.set(key, work);
    }
    return units;
  }

  #waits({ work }: ServiceTimer, { profileId }: ProfileClient): boolean {
    const { timers } = this.#options.file;
    return timers.some(({ name, work: other }) =>
      unitOf(work).after?.includes(other) && this.#running.has(keyOf({ profileId, timer: name }))
    );
  }

  async #start(
    { profile, timer, profileId, countryCode, timeZone: zone }: TimerUnit<ProfileClient>,
  ): Promise<void> {
    const { state, onEvent } = this.#options;
    const { transport } = profile;
    const unit = { profileId, timer: timer.name };
    try {
      const own = await state.alone(unit, async () => {
        // Another service may have done it in the meantime.
        const runs = await state.history(unit);
        const last = runs.at(-1);
        const now = transport.now();
        const { isDue, due, next, attempt } = standingOf(timer, runs, { now, zone });
        if (!isDue) return;
        const event = { countryCode, profileId, timer: timer.name, due, attempt };
        await state.begin(unit, { due, attempt, now });
        onEvent?.({ ...event, kind: "began", seconds: 0, detail: "" });
        const { outcome, detail } = await this.#do(profile, timer, {
          now,
          zone,
          until: next,
          since: last?.doneDue ?? undefined,
        });
        const ended = transport.now();
        await state.end(unit, { due, attempt, outcome, detail, now: ended });
        onEvent?.({ ...event, kind: outcome, seconds: (ended - now) / 1000, detail });
      });
      if (own === undefined) this.#elsewhere.set(keyOf(unit), transport.now() + LOOK * 1000);
      else this.#elsewhere.delete(keyOf(unit));
    } catch (error) {
      // The store did not take the record of a run: a later look finds it without an end.
      this.#elsewhere.set(keyOf(unit), transport.now() + LOOK * 1000);
      const at = { countryCode, profileId, timer: timer.name, due: transport.now(), attempt: 0, seconds: 0 };
      onEvent?.({ ...at, kind: "failed", detail: (error as Error).message });
    }
  }

  async #do(
    profile: ProfileClient,
    timer: ServiceTimer,
    at: Pick<WorkRun, "now" | "zone" | "until" | "since">,
  ): Promise<{ outcome: "done" | "failed" | "stopped"; detail: string }> {
    const { file, work, once = false } = this.#options;
    const { signal } = this.#stop;
    try {
      const doWork = work?.[timer.work] ?? unitOf(timer.work).run;
      const detail = await doWork({ profile, timer, file, signal, once, ...at }, this.#options);
      return { outcome: "done", detail };
    } catch (error) {
      if (signal.aborted) return { outcome: "stopped", detail: "The service was asked to end" };
      return { outcome: "failed", detail: (error as Error).message };
    }
  }
}

function keyOf({ profileId, timer }: ServiceUnit): string {
  return `${profileId} ${timer}`;
}

function secondsUntil(units: readonly ServiceStatus[], now: number): number {
  const times = units.map(({ next, retryAt = Infinity }) =>
    Math.min(next, retryAt > now ? retryAt : Infinity)
  );
  return Math.max(1, Math.min(LOOK, (Math.min(...times) - now) / 1000));
}
