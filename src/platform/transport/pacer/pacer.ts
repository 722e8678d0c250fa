import { loadedOnce } from "../../../base/json/kept_or.ts";
import { type Sleep, SteadyClock } from "../../../base/time/clock.ts";
import { Lane, type LanePace } from "./lane.ts";
import { MemoryPaceStore, type PaceState, type PaceStore } from "./pace_store.ts";

/** The current time and a way to wait. */
export interface PacerClock {
  /** Current time in milliseconds; only differences matter. */
  readonly now: () => number;
  /** Waits for a number of seconds. */
  readonly sleep: Sleep;
}

/** The pace of one group of operations on one host. */
export interface PaceReport extends LanePace {
  /** Address of the host. */
  readonly host: string;
  /** Operations that share a limit, for example `sp reads`. */
  readonly group: string;
}

/** A pause requested by the platform. */
export interface PauseReport {
  /** Address of the host. */
  readonly host: string;
  /** Operations that share the limit. */
  readonly group: string;
  /** Id of the refused profile; absent for requests without a profile. */
  readonly profileId?: string;
  /** Seconds since the refusal. */
  readonly since: number;
  /** Remaining seconds of the pause. */
  readonly seconds: number;
}

/**
 * Adapts the rate of requests to the platform's limits, for each group of operations on each host: reduces it when the
 * platform throttles and raises it again otherwise. Waiting requests are sent one after the other, with callers taking
 * turns. Until the platform throttles, only concurrency is limited: 16 requests of a group at first, and more with
 * each response. Every client has its own pacer by default; pass the same one to clients that share an account.
 *
 * @example
 * ```ts
 * import { type Credentials, Pacer, type Platform, PlatformAds } from "@platform/ads";
 *
 * // Two clients of one account that keep one pace.
 * function pair(credentials: Credentials, platform: Platform): PlatformAds[] {
 *   const pacer = new Pacer();
 *   return [1, 2].map(() => new PlatformAds(credentials, { platform, pacer }));
 * }
 * ```
 */
export class Pacer {
  #clock: PacerClock | undefined;
  #store: PaceStore | undefined;
  readonly #id: string = crypto.randomUUID().slice(0, 8);
  readonly #lanes = new Map<string, { host: string; group: string; lane: Lane }>();
  #pausedUntil = -Infinity;
  #passedAt = -Infinity;

  /**
   * Creates a pacer without a pause or a known limit.
   *
   * @param clock The time, by default that of the first client that uses it.
   * @param store Where its state is kept. @default memory of its own
   */
  constructor(clock?: PacerClock, store?: PaceStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /**
   * Creates a pacer that shares its limits with all pacers at the same place, across processes: together they have no
   * more requests in flight, and start no more per second, than a single one. Slots of a killed process are freed
   * after 30 seconds.
   *
   * @param place Path of a small file on this machine, made when there is none; or a store.
   *
   * @example
   * ```ts
   * import { type Credentials, Pacer, type Platform, PlatformAds } from "@platform/ads";
   *
   * // Every process on this machine that names the file keeps the same pace.
   * function connect(credentials: Credentials, platform: Platform): PlatformAds {
   *   return new PlatformAds(credentials, { platform, pacer: Pacer.shared("/var/tmp/my-account.pace.json") });
   * }
   * ```
   */
  static shared(place: string | PaceStore, clock?: PacerClock): Pacer {
    return new Pacer(clock, typeof place === "string" ? fileStore(place) : place);
  }

  /**
   * Uses the clock of a client if it has none yet. Called by the client itself.
   *
   * @internal
   */
  useClock(clock: PacerClock): void {
    this.#clock ??= clock;
  }

  /** Pauses every request, or extends the current pause; never shortens it. */
  pause(seconds: number): void {
    this.#keepPause(seconds);
    const shared = this.#state.update((state, now) => {
      state.pausedUntil = Math.max(state.pausedUntil, now + seconds * 1000);
    });
    // This process keeps the pause anyway, and its next request meets the same error.
    Promise.resolve(shared).catch(() => {});
  }

  /** Remaining seconds of the pause. */
  get remaining(): number {
    return this.#pausedUntil === -Infinity ? 0 : Math.max(0, (this.#pausedUntil - this.#time.now()) / 1000);
  }

  /** Active pauses of single profiles, including those of other processes; longest first. */
  async pauses(): Promise<PauseReport[]> {
    return await this.#state.update((state, now) => runningPauses(state, now));
  }

  /** Ends every pause, also for other processes that share the pace; returns those of single profiles. */
  async forgetPauses(): Promise<PauseReport[]> {
    this.#pausedUntil = -Infinity;
    return await this.#state.update((state, now) => {
      const running = runningPauses(state, now);
      state.pausedUntil = 0;
      for (const lane of Object.values(state.lanes)) lane.pauses = {};
      return running;
    });
  }

  /** Seconds since a request was last accepted; `Infinity` if none was. */
  get secondsSincePassed(): number {
    return (this.#time.now() - this.#passedAt) / 1000;
  }

  /** Returns the pace of every group used so far. */
  paces(): PaceReport[] {
    return [...this.#lanes.values()].map(({ host, group, lane }) => ({ host, group, ...lane.pace }));
  }

  /**
   * The lane of a group of operations on a host. Used by the client itself.
   *
   * @internal
   */
  lane(host: string, group: string): Lane {
    const key = `${host} ${group}`;
    let found = this.#lanes.get(key);
    if (found === undefined) {
      const { now, sleep } = this.#time;
      const lane = new Lane({
        name: key,
        holder: this.#id,
        store: this.#state,
        now,
        sleep,
        onPause: (seconds) => this.#keepPause(seconds),
        pause: (seconds) => this.pause(seconds),
        onPassed: () => this.#passedAt = now(),
      });
      found = { host, group, lane };
      this.#lanes.set(key, found);
    }
    return found.lane;
  }

  /**
   * The state that the pacer keeps. Used by the client itself.
   *
   * @internal
   */
  get store(): PaceStore {
    return this.#state;
  }

  #keepPause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#time.now() + seconds * 1000);
  }

  get #state(): PaceStore {
    return this.#store ??= new MemoryPaceStore(this.#time.now);
  }

  get #time(): PacerClock {
    return this.#clock ??= new SteadyClock();
  }
}

/** A store in a file, whose code is loaded with the first change. */
function fileStore(path: string): PaceStore {
  const load = loadedOnce(async () => new (await import("./file_pace_store.ts")).FilePaceStore(path));
  return { isShared: true, update: async (change) => await (await load()).update(change) };
}

function runningPauses({ lanes }: PaceState, now: number): PauseReport[] {
  const running = Object.entries(lanes).flatMap(([name, { pauses }]) => {
    const [host = "", ...group] = name.split(" ");
    return Object.entries(pauses).filter(([, { until }]) => until > now).map((
      [profileId, { since, until }],
    ) => ({
      host,
      group: group.join(" "),
      ...(profileId === "" ? {} : { profileId }),
      since: (now - since) / 1000,
      seconds: (until - now) / 1000,
    }));
  });
  return running.toSorted((a, b) => b.seconds - a.seconds);
}
