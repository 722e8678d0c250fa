import { deepEqual, equal, ok } from "../../support/assert.ts";
import { PlanStore } from "../../../mod.ts";
import { Rollout } from "../../../src/account/mod.ts";
import type { AppliedVerdict } from "../../../src/plans/mod.ts";
import type { SqlValue, Statement } from "../../../src/store/postgres/sql.ts";
import { PLAN_TASK } from "../../../src/store/queue/sync_job.ts";
import { WorkerMetrics } from "../../../src/store/queue/metrics/worker_metrics.ts";
import { planTask } from "../../../src/worker/rollouts/plan_task.ts";
import { RolloutQueue } from "../../../src/worker/rollouts/rollout_queue.ts";
import { RolloutTable } from "../../../src/worker/rollouts/rollout_table.ts";
import { clientIn, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { QueueModel } from "../world/queue_model.ts";
import { QueueServer } from "../world/queue_server.ts";
import { queueWorker } from "../world/queue_worker.ts";
import type { SimProcess } from "../world/sim_process.ts";
import { CALM } from "../world/world.ts";
import { planFor, sends, words, wrongBids } from "./rollout_plans.ts";

const FOLDER = "/rollout";
const MINUTE = 60_000;
/** Seconds of silence after which a worker is dead. */
const LEASE = 60;
/** Minutes within which a rollout ends without faults: a job that failed often waits for its next try. */
const AT_REST = 180;
const OVER = ["done", "failed"];

export const QUEUE_ROLLOUTS: Scenario = {
  name: "queue_rollouts",
  seeds: 20,
  about:
    "Workers apply a rollout in stages from one queue; killed, frozen, taken for dead, drained, with clocks hours off",
  async run(world) {
    const { chance, emulator } = world;
    const server = new QueueServer(world, new QueueModel(() => world.now));
    const { rollouts } = server.model;
    const disk = new Disk();
    const profiles = emulator.state.profiles("NA").slice(0, chance.integer("profiles", 2, 3));
    const plans = profiles.map((profile) => planFor(profile, 1 + chance.integer("keywords", 0, 2)));
    const problems = judgeStatements(server, plans.map(({ id }) => id));
    const options = {
      serial: chance.pick("stages", [[1, "100%"], [1], ["100%"]] as const),
      stopOnFailures: chance.pick("failures", ["100%", 0] as const),
    };
    /** The queue as the program of a name uses it. */
    const queueOf = (name: string): RolloutQueue => {
      const process = world.processes.find((one) => one.name === name)!;
      return new RolloutQueue({ database: server.connect(process), location: "the queue" } as never);
    };
    const enqueue = async (name: string): Promise<void> => {
      await queueOf(name).enqueue(await Rollout.open(FOLDER), options);
    };
    await runProgram(world, {
      name: "maker",
      disk,
      main: async () => {
        await Rollout.create(FOLDER, plans);
        await enqueue("maker");
      },
    });

    let workers = 0;
    const hire = (isOver: () => boolean, { drainsAfter }: { drainsAfter?: number } = {}): SimProcess => {
      const name = `worker ${++workers}`;
      const process = world.spawn(name, {
        disk,
        skew: chance.integer("skew", -3600, 3600) * 1000,
        main: async () => {
          const stop = new AbortController();
          if (drainsAfter !== undefined) setTimeout(() => stop.abort(), drainsAfter);
          const until = (): boolean => stop.signal.aborted || isOver();
          const repair = (database: unknown) => new RolloutTable(database as never).requeueStuck();
          await queueWorker({ server, process, lease: LEASE, until, repair }, (parts) => ({
            [PLAN_TASK]: planTask({
              driver: { database: parts.database } as never,
              ads: clientIn(world),
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
    };

    try {
      world.drawFaults(["kill", "freeze", "loseRequest", "loseResponse", "cutBody", "slow"]);
      const end = world.now + chance.integer("minutes", 5, 25) * MINUTE;
      const crew = chance.integer("workers", 1, 3);
      const hired: SimProcess[] = [];
      const manager = async (): Promise<void> => {
        while (world.now < end) {
          for (let living = hired.filter(({ isAlive }) => isAlive).length; living < crew; living++) {
            const drains = chance.happens("drains", 0.2);
            const drainsAfter = chance.integer("drains after", 1, 300) * 1000;
            hired.push(hire(() => world.now >= end, drains ? { drainsAfter } : {}));
          }
          await world.pass(chance.integer("minutes until the next", 1, 4) * MINUTE);
        }
      };
      await world.run(manager());
      await world.run(Promise.all(hired.map(({ ended }) => ended)));
      world.faults = CALM;

      const isEnded = (): boolean => rollouts.rollouts.every(({ state }) => state !== "running");
      const bound = world.now + AT_REST * MINUTE;
      const finish = (): Promise<void> => world.run(hire(() => world.now > bound || isEnded()).ended);
      await finish();
      ok(isEnded(), `the rollout stands still: ${rollouts.plans.map(({ state }) => state)}`);
      // Plans that the faults kept from being begun or finished are tried anew.
      await runProgram(world, { name: "clerk", disk, main: () => enqueue("clerk") });
      await finish();
      for (const { name, error } of world.processes) {
        ok(error === undefined, `${name} threw ${(error as Error)?.stack}`);
      }
      deepEqual(problems, []);
      ok(isEnded(), `the rollout stands still after it was put on the queue again`);
      const states = rollouts.plans.map(({ state }) => state);
      const [rollout] = rollouts.rollouts;
      if (rollout?.state === "done") {
        deepEqual(states.filter((state) => !OVER.includes(state)), [], "every plan has ended");
      } else ok(states.includes("failed"), `stopped for nothing: ${states}`);

      await runProgram(world, {
        name: "collector",
        disk,
        main: async () => {
          await queueOf("collector").collect(await Rollout.open(FOLDER));
        },
      });
      for (const [index, plan] of plans.entries()) {
        const profile = profiles[index]!;
        const state = rollouts.plan(plan.id)?.state;
        const applied = await runProgram(world, {
          name: `reader ${index}`,
          disk,
          main: () => PlanStore.open(FOLDER).applied(plan.id),
        });
        ok(words(profile).length <= 1, `created ${words(profile).length} times`);
        const often = plan.changes.filter(({ id }) => id !== null && sends(emulator, profile, id) > 1);
        deepEqual(often.map(({ label }) => label), [], "no change is sent twice");
        if (!OVER.includes(state ?? "")) continue;
        ok(applied !== undefined, `plan ${index} is ${state} and has no result`);
        const wrong = new Set(wrongBids(profile, plan, "after").map(({ id }) => id));
        for (const [at, { id, op }] of plan.changes.entries()) {
          const { outcome }: AppliedVerdict = applied.changes[at]!;
          const isDone = op === "create" ? words(profile).length === 1 : !wrong.has(id);
          if (outcome === "done") ok(isDone, `change ${at} of plan ${index} is called done`);
          if (outcome === "refused" || outcome === "not_sent") {
            ok(!isDone, `change ${at} of plan ${index} is called ${outcome}`);
          }
          if (state === "done") equal(outcome, "done", `change ${at} of a plan that is done`);
        }
      }
    } finally {
      for (const process of world.processes) if (process.name !== "judge") world.kill(process);
    }
  },
};

/**
 * Watches what is written about plans: the verdict and the journal by the attempt that took the plan last, and no plan of a
 * stage is begun before those of the stage before are over.
 */
function judgeStatements(server: QueueServer, planIds: readonly string[]): string[] {
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
      if (early.length > 0) problems.push(`${process.name} began plan ${number(values[3])} before its stage`);
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
