import type { PlatformAds } from "../../../mod.ts";
import type { SqlValue, Statement } from "../../../src/store/tables/postgres_sql.ts";
import { PLAN_TASK } from "../../../src/store/queue/sync_job.ts";
import { WorkerMetrics } from "../../../src/store/queue/worker_metrics.ts";
import { planTask } from "../../../src/automation/worker/plan_task.ts";
import { RolloutTable } from "../../../src/automation/worker/rollout_table.ts";
import type { Disk } from "../world/disk.ts";
import type { QueueServer } from "../world/queue_server.ts";
import { queueWorker } from "../world/queue_worker.ts";
import type { SimProcess } from "../world/sim_process.ts";
import type { World } from "../world/world.ts";

const MINUTE = 60_000;
/** Seconds of silence after which a worker is dead. */
const LEASE = 60;
/** Times that a job is tried without faults until its plan has ended, and the minutes for each. */
const [TRIES, MINUTES] = [10, 20];

/** What the workers of a rollout work with. */
interface CrewParts {
  readonly world: World;
  readonly server: QueueServer;
  readonly disk: Disk;
  /** Makes the client of a worker. */
  readonly connect: () => Promise<PlatformAds>;
}

/** The workers of a rollout on a queue, with clocks up to an hour off. */
export class RolloutCrew {
  readonly #parts: CrewParts;
  #hired = 0;

  constructor(parts: CrewParts) {
    this.#parts = parts;
  }

  /** Works for some minutes: whoever dies is replaced, some are told to stop early. */
  async work(): Promise<void> {
    const { world } = this.#parts;
    const { chance } = world;
    const end = world.now + chance.integer("minutes", 5, 25) * MINUTE;
    const size = chance.integer("workers", 1, 3);
    const hired: SimProcess[] = [];
    while (world.now < end) {
      for (let living = hired.filter(({ isAlive }) => isAlive).length; living < size; living++) {
        const drains = chance.happens("drains", 0.2);
        const drainsAfter = chance.integer("drains after", 1, 300) * 1000;
        hired.push(this.#hire(() => world.now >= end, drains ? { drainsAfter } : {}));
      }
      await world.pass(chance.integer("minutes until the next", 1, 4) * MINUTE);
    }
    await Promise.all(hired.map(({ ended }) => ended));
  }

  /** Lets one worker go on until every rollout and every plan that was begun has ended; `false` where one stands still. */
  async finish(): Promise<boolean> {
    const { world, server } = this.#parts;
    const { model } = server;
    const { rollouts } = model;
    const isEnded = (): boolean =>
      rollouts.rollouts.every(({ state }) => state !== "running") &&
      rollouts.plans.every(({ state }) => state !== "running");
    for (let tried = 0; tried < TRIES && !isEnded(); tried++) {
      // What failed often waits for hours until it is tried again: nothing happens until then.
      await world.pass(Math.max(0, ...model.jobs.map(({ runAt }) => runAt - world.now)));
      const end = world.now + MINUTES * MINUTE;
      await this.#hire(() => world.now > end || isEnded()).ended;
    }
    return isEnded();
  }

  #hire(isOver: () => boolean, { drainsAfter }: { drainsAfter?: number } = {}): SimProcess {
    const { world, server, disk, connect } = this.#parts;
    const process = world.spawn(`worker ${++this.#hired}`, {
      disk,
      skew: world.chance.integer("skew", -3600, 3600) * 1000,
      main: async () => {
        const stop = new AbortController();
        if (drainsAfter !== undefined) setTimeout(() => stop.abort(), drainsAfter);
        const until = (): boolean => stop.signal.aborted || isOver();
        const repair = (database: unknown) => new RolloutTable(database as never).requeueStuck();
        const ads = await connect();
        await queueWorker({ server, process, lease: LEASE, until, repair }, (parts) => ({
          [PLAN_TASK]: planTask({
            driver: { database: parts.database } as never,
            ads,
            workerId: () => parts.list.id,
            metrics: new WorkerMetrics(),
            log: () => {},
            stop: stop.signal,
            lost: () => parts.heartbeat.lost,
          }),
        }));
      },
    });
    return process;
  }
}

/**
 * Watches what is written about plans: the verdict and the journal by the attempt that took the plan last, and no plan of a
 * stage is begun before those of the stage before are over.
 */
export function judgeStatements(server: QueueServer, planIds: readonly string[]): string[] {
  const problems: string[] = [];
  const { rollouts } = server.model;
  server.onRun = (process: SimProcess, { text, values }: Statement) => {
    // Ids of attempts begin with the process.
    const isHeld = (planId: SqlValue | undefined): boolean =>
      rollouts.plan(planId)?.workerId?.startsWith(`${process.name}.`) === true;
    const number = (planId: SqlValue | undefined): number => planIds.indexOf(String(planId));
    if (text.startsWith("UPDATE rollout_plans SET state = 'running'")) {
      const own = rollouts.plan(values[3]);
      const early = rollouts.plans.filter(({ stage, state }) =>
        stage !== null && stage < (own?.stage ?? 0) && (state === "queued" || state === "running")
      );
      // One that was begun is gone on with, also where plans of an earlier stage are tried anew meanwhile.
      if (early.length > 0 && own?.state === "queued") {
        problems.push(`${process.name} began plan ${number(values[3])} before its stage`);
      }
    } else if (text.startsWith("UPDATE rollout_plans SET state = $1") && !isHeld(values[5])) {
      problems.push(`${process.name} wrote the verdict on plan ${number(values[5])}, which it does not hold`);
    } else if (text.startsWith("WITH plan AS") && !isHeld(values[0])) {
      const isRefused = values[1] !== null && rollouts.plan(values[0])?.workerId !== values[1];
      if (!isRefused) {
        problems.push(
          `${process.name} wrote the journal of plan ${number(values[0])}, which it does not hold`,
        );
      }
    }
  };
  return problems;
}
