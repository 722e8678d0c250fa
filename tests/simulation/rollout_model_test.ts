import { deepEqual } from "../support/assert.ts";
import { test } from "node:test";
import type { JobHelpers } from "graphile-worker";
import { ChangePlan } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import { taskListOf } from "../../src/store/queue/end_job.ts";
import { LeaseLostError } from "../../src/store/queue/lease.ts";
import { unlockJobs } from "../../src/store/queue/queue_utils.ts";
import { QueueJournal } from "../../src/automation/worker/queue_journal.ts";
import { RolloutQueue } from "../../src/automation/worker/rollout_queue.ts";
import {
  type PlanAttempt,
  type PlanOutcome,
  RolloutTable,
} from "../../src/automation/worker/rollout_table.ts";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { modelPlace, type Place, realPlace, type Taken } from "./queue_places.ts";
import { Chance } from "./world/chance.ts";
import { planKey } from "./world/rollout_model.ts";
import { longFile } from "../support/long.ts";

longFile();

const [TRACES, STEPS, PLANS] = [12, 60, 3];
const POOLS = ["one", "two"];
const OUTCOMES: readonly PlanOutcome[] = [
  { state: "done", summary: "1 done", result: "{}", rollback: { id: "undo", text: "{ }" } },
  { state: "failed", summary: "1 refused", result: "{}" },
  { state: "unfinished", summary: "cut off" },
  { state: "not_begun", summary: "no login" },
];

/** An attempt of a worker at a plan. */
interface Begun {
  readonly plan: ChangePlan;
  readonly attempt: PlanAttempt;
}

const planOf = (number: number): ChangePlan =>
  new ChangePlan({
    profileId: String(100 + number),
    countryCode: "US",
    changes: [{
      kind: "sp.keywords",
      op: "update",
      id: "1",
      before: { bid: 1 },
      after: { bid: 2 },
      label: "shoes",
    }],
  });

/** One place, and two workers who take the plans of a rollout there. */
class Play {
  readonly #place: Place;
  readonly #rollout: Rollout;
  readonly #plans: readonly ChangePlan[];
  readonly #queue: RolloutQueue;
  readonly #table: RolloutTable;
  readonly #taken: { pool: string; job: Taken }[] = [];
  readonly #begun: Begun[] = [];

  constructor(place: Place, rollout: Rollout, plans: readonly ChangePlan[]) {
    this.#place = place;
    this.#rollout = rollout;
    this.#plans = plans;
    const { sql } = place;
    const transaction: Place["database"]["transaction"] = (work) => place.database.transaction(work);
    const database = { sql, transaction };
    this.#queue = new RolloutQueue({ database, location: "the queue" } as never);
    this.#table = new RolloutTable(database as never);
  }

  /** Plays a step that a trace drew; the same numbers choose the same in both places. */
  async step(name: string, number: number): Promise<unknown> {
    const said = await this.#step(name, number).catch((error) =>
      error instanceof LeaseLostError ? "lost" : `${error}`
    );
    await this.#place.line(
      this.#plans.map((plan) => planKey({ profileId: plan.profileId, planId: plan.id })),
    );
    return said;
  }

  async #step(name: string, number: number): Promise<unknown> {
    const pool = POOLS[number % 2]!;
    const taken = this.#taken[number % Math.max(1, this.#taken.length)];
    const begun = this.#begun[number % Math.max(1, this.#begun.length)];
    const plan = this.#plans[number % PLANS]!;
    const { sql } = this.#place;
    switch (name) {
      case "enqueue":
        return await this.#queue.enqueue(this.#rollout, {
          serial: number % 2 === 0 ? [1, "100%"] : ["100%"],
          stopOnFailures: number % 3 === 0 ? 0 : "100%",
          approvedBy: () => `person ${number}`,
        });
      case "take job": {
        const job = await this.#place.take(pool);
        if (job !== undefined) this.#taken.push({ pool, job });
        return job && { key: job.key, attempts: job.attempts };
      }
      case "take plan": {
        const own = this.#plans.find(({ profileId, id }) =>
          planKey({ profileId, planId: id }) === taken?.job.key
        );
        if (own === undefined || taken === undefined) return;
        const { id: jobId, attempts } = taken.job;
        const attempt = {
          workerId: `${taken.pool} ${jobIdless(this.#begun.length)}`,
          jobId,
          attempt: attempts,
        };
        const found = await this.#table.take(own.id, attempt);
        if (found !== undefined) this.#begun.push({ plan: own, attempt });
        return found && { ...found, text: found.text.length };
      }
      case "end":
        return begun &&
          await this.#table.end(begun.plan.id, begun.attempt, OUTCOMES[number % OUTCOMES.length]!);
      case "put back":
        return begun && await this.#table.putBack(begun.plan.id, begun.attempt);
      case "requeue":
        return (await this.#table.requeueStuck()).sort();
      case "begin journal":
        return begun && await this.#journal(begun).create(`begun by ${begun.attempt.workerId}\n`);
      case "write journal":
        return begun && await this.#journal(begun).append(`line of ${begun.attempt.workerId}\n`);
      case "read journal":
        return [await new QueueJournal(sql, plan.id).read(), await new QueueJournal(sql, plan.id).size()];
      case "end job": {
        if (taken === undefined) return;
        const { id, attempts, revision } = taken.job;
        const parts = {
          database: this.#place.database,
          log: () => {},
          databaseAnswers: () => Promise.resolve(),
        } as const;
        const helpers = { job: { id, attempts, revision } } as unknown as JobHelpers;
        const ended = await taskListOf({ work: () => Promise.resolve() }, parts)["work"]!({}, helpers);
        await this.#place.complete(taken.pool, taken.job);
        return ended ?? "ended";
      }
      case "fail job":
        return taken && await this.#place.fail(taken.pool, taken.job);
      case "unlock":
        return await unlockJobs(this.#place.database, [pool]);
      case "withdraw":
        return await this.#queue.withdraw(this.#rollout);
      case "status":
        return await this.#queue.status(this.#rollout);
      case "collect":
        return await this.#queue.collect(this.#rollout);
      default:
        return await this.#place.age(name as "runs");
    }
  }

  #journal({ plan, attempt }: Begun): QueueJournal {
    return new QueueJournal(this.#place.sql, plan.id, attempt.workerId);
  }
}

/** Names of attempts are the same in both places, whose jobs have other numbers. */
function jobIdless(count: number): string {
  return `attempt ${count}`;
}

const NAMES = [
  ...["enqueue", "take job", "take job", "take job", "take plan", "take plan", "take plan", "take plan"],
  ...["end", "end", "put back", "requeue", "begin journal", "write journal", "write journal", "read journal"],
  ...["put back", "withdraw", "end job", "end job", "fail job", "unlock", "status", "collect", "runs"],
];

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test(`the model of rollouts on the queue does what PostgreSQL does, on ${TRACES} traces of ${STEPS} steps`, async () => {
    const driver = await PostgresDriver.open(await makeStore(server));
    const seen = new Map<string, number>();
    try {
      for (let seed = 1; seed <= TRACES; seed++) {
        await using folder = await temporaryFolder();
        const chance = new Chance(seed, () => {});
        const plans = [...Array(PLANS).keys()].map(planOf);
        await Rollout.create(folder.file("real"), plans);
        await new Deno.Command("cp", { args: ["-r", folder.file("real"), folder.file("model")] }).output();
        const real = await realPlace(driver.database);
        const places = [modelPlace(), real];
        const plays = [
          new Play(places[0]!, await Rollout.open(folder.file("model")), plans),
          new Play(real, await Rollout.open(folder.file("real")), plans),
        ];
        const trace: string[] = [];
        for (let step = 0; step < STEPS; step++) {
          const name = step === 0 ? "enqueue" : chance.pick("step", NAMES);
          const number = chance.integer("number", 0, 11);
          trace.push(`${name} ${number}`);
          const [said, expected] = [
            await plays[0]!.step(name, number),
            await plays[1]!.step(name, number),
          ];
          const words = `seed ${seed}: ${trace.join(", ")}`;
          deepEqual(said ?? null, expected ?? null, words);
          deepEqual(await places[0]!.dumpRollouts(), await real.dumpRollouts(), words);
          const result = `${name} ${typeof said === "string" ? said : said === undefined ? "" : "something"}`;
          seen.set(result, (seen.get(result) ?? 0) + 1);
        }
        await real.end();
      }
    } finally {
      await driver.close();
    }
    const rare = [
      "take plan something",
      "take plan ",
      "take plan lost",
      "end ",
      "end lost",
      "put back lost",
      "write journal lost",
      "begin journal something",
      "end job ended",
      "end job lost",
    ].filter((result) => (seen.get(result) ?? 0) < 3);
    deepEqual(rare, [], `every outcome was met: ${JSON.stringify([...seen])}`);
  });
}
