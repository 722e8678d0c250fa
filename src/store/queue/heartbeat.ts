import { isAway } from "../postgres/postgres_error.ts";
import { LeaseLostError, type LeaseSubject } from "./lease.ts";
import type { WorkerList } from "./worker_list.ts";
import type { LogSink } from "./worker_log.ts";

/** Milliseconds for settling dead workers' work before their jobs are unlocked. */
const SETTLING = 30_000;

const MAX_TRIES = 3;

export interface HeartbeatParts {
  readonly list: WorkerList;
  readonly unlock: (pools: string[]) => Promise<void>;
  readonly repair?: (() => Promise<void>) | undefined;
  readonly settle: (subject: LeaseSubject, options: { signal: AbortSignal }) => Promise<void>;
  readonly log: LogSink;
  readonly seconds: number;
  readonly rows: () => number;
}

/**
 * Keeps a worker listed as live and removes dead ones. A worker that others removed (frozen or disconnected) ends its
 * jobs and joins again.
 */
export class Heartbeat {
  state: "working" | "draining" = "working";
  readonly #parts: HeartbeatParts;
  #lost = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating: Promise<void> = Promise.resolve();
  #beganWell = Infinity;
  #poolId = "";
  #triesLeft = MAX_TRIES;
  readonly #takingOver = new Set<string>();

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  set poolId(id: string) {
    this.#poolId = id;
    this.#next(0);
  }

  async start(): Promise<void> {
    await this.#halt();
    await this.#rejoin();
    this.#beganWell = Date.now();
    this.#next();
  }

  async stop(): Promise<void> {
    await this.#halt();
    await this.#parts.list.leave().catch(() => {});
  }

  async #halt(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#beating;
    clearTimeout(this.#timer);
  }

  #next(seconds: number = this.#parts.seconds / 4): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beating = this.#beating.then(() => this.#beat()).finally(() => this.#next());
    }, seconds * 1000);
  }

  async #beat(): Promise<void> {
    const { list, log, rows, seconds } = this.#parts;
    try {
      if (!await list.beat({ state: this.state, rows: rows(), poolId: this.#poolId })) {
        log({ level: "error", event: "taken_for_dead", was: list.id });
        await this.#rejoin();
      }
      // After an outage of the database everyone looks dead for a moment.
      if (Date.now() - this.#beganWell > seconds * 1000) await this.#expireDeadWorkers();
      if (this.#beganWell === Infinity) this.#beganWell = Date.now();
      await this.#parts.repair?.();
      this.#triesLeft = MAX_TRIES;
    } catch (error) {
      // Others end the connections of a worker that they took for dead: it learns of it by another connection.
      if (isAway(error) && this.#triesLeft-- > 0) return await this.#beat();
      this.#beganWell = Infinity;
      log({ level: "warn", event: "no_sign_of_life", error: (error as Error).message });
    }
  }

  async #rejoin(): Promise<void> {
    const { list, log } = this.#parts;
    this.#lost.abort(new LeaseLostError("Cannot continue: other workers considered this one dead"));
    this.#lost = new AbortController();
    if (list.id !== "") await list.leave();
    await list.join(this.#poolId);
    log({ level: "info", event: "joined", id: list.id, pool: this.#poolId });
  }

  async #expireDeadWorkers(): Promise<void> {
    const { list, log } = this.#parts;
    const { ids, pools, left } = await list.expireDeadWorkers();
    if (ids.length > 0) log({ level: "warn", event: "workers_expired", workers: ids, left: left.length });
    const fresh = pools.filter((pool) => !this.#takingOver.has(pool));
    if (fresh.length > 0) void this.#takeOver(fresh, left);
  }

  /** Separate from the heartbeat, which must not wait for the platform. */
  async #takeOver(pools: string[], left: readonly LeaseSubject[]): Promise<void> {
    const { log, unlock, settle } = this.#parts;
    for (const pool of pools) this.#takingOver.add(pool);
    const told = (error: Error): void => log({ level: "warn", event: "not_settled", error: error.message });
    const signal = AbortSignal.any([this.#lost.signal, AbortSignal.timeout(SETTLING)]);
    await Promise.all(left.map((subject) => settle(subject, { signal }).catch(told)));
    await unlock(pools).catch(told);
    for (const pool of pools) this.#takingOver.delete(pool);
  }
}
