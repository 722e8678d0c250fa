import { deepEqual } from "../support/assert.ts";
import { test } from "node:test";
import type { JobHelpers } from "graphile-worker";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import { taskListOf } from "../../src/store/queue/end_job.ts";
import { Lease, LeaseLostError } from "../../src/store/queue/lease.ts";
import { WorkerList } from "../../src/store/queue/worker_list.ts";
import { forgetDeadJobs, unlockJobs } from "../../src/store/queue/queue_utils.ts";
import { syncJobSpec } from "../../src/store/queue/sync_job.ts";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../support/postgres.ts";
import { LEASE, modelPlace, type Place, realPlace, type Taken } from "./queue_places.ts";
import { Chance } from "./world/chance.ts";
import { longFile } from "../support/long.ts";

longFile();

const [TRACES, STEPS] = [25, 60];
const REPORTS = ["sp_placement", "sp_targeting", "sp_search_terms"] as const;
const POOLS = ["one", "two"];

/** One place and those who use it: two workers, with the jobs and leases that they got. */
class Play {
  readonly #place: Place;
  readonly #lists: WorkerList[];
  readonly #taken: { pool: number; job: Taken }[] = [];
  readonly #leases: Lease[] = [];

  constructor(place: Place) {
    this.#place = place;
    this.#lists = POOLS.map((processName) => new WorkerList(place.sql, { processName, seconds: LEASE }));
  }

  /** Plays a step that a trace drew; the same numbers choose the same in both places. */
  async step(name: string, number: number, time: number): Promise<unknown> {
    const { sql, database } = this.#place;
    const worker = number % 2;
    const report = REPORTS[number % 3]!;
    const pool = POOLS[worker]!;
    const list = this.#lists[worker]!;
    // Each job of its own second: which of two that wait equally long is taken first is open.
    const at = new Date(Date.parse("2026-11-01T00:00:00Z") + 1000 * time);
    const spec = {
      ...syncJobSpec({ profileId: "1", countryCode: "US", report, enqueuedAt: at.toISOString() }),
      runAt: at,
    };
    const taken = this.#taken[number % Math.max(1, this.#taken.length)];
    switch (name) {
      case "ask":
        return await this.#place.addJobs([spec]);
      case "take": {
        const job = await this.#place.take(pool);
        if (job !== undefined) this.#taken.push({ pool: worker, job });
        return job && { attempts: job.attempts, revision: job.revision };
      }
      case "end":
      case "put off": {
        if (taken === undefined) return;
        const { id, attempts, revision } = taken.job;
        const next = name === "end" ? undefined : spec;
        const parts = { database, log: () => {}, databaseAnswers: () => Promise.resolve() } as const;
        const helpers = { job: { id, attempts, revision } } as unknown as JobHelpers;
        const ended = taskListOf({ work: () => Promise.resolve(next) }, parts)["work"]!({}, helpers);
        // What the library does after a task.
        return await Promise.resolve(ended).then(async () => {
          await this.#place.complete(POOLS[taken.pool]!, taken.job);
          return "ended";
        }, async (error) => {
          await this.#place.fail(POOLS[taken.pool]!, taken.job);
          return error instanceof LeaseLostError ? "lost" : error;
        });
      }
      case "fail":
        return taken && await this.#place.fail(POOLS[taken.pool]!, taken.job);
      case "unlock":
        return await unlockJobs(database, [pool]);
      case "forget":
        return await forgetDeadJobs(sql);
      case "join":
        if (list.id !== "") await list.leave();
        return await list.join(pool);
      case "beat":
        return await list.beat({ state: "working", rows: 0, poolId: pool });
      case "expire": {
        const { ids, pools, left } = await list.expireDeadWorkers();
        return { ids: ids.sort(), pools: pools.sort(), left: left.map((one) => one.report).sort() };
      }
      case "lease":
        return await Lease.take(sql, list.id, { profileId: "1", report }).then((lease) => {
          if (lease !== undefined) this.#leases.push(lease);
          return lease === undefined ? "held" : "got";
        }, () => "not listed");
      case "check":
        return await this.#leases[number % Math.max(1, this.#leases.length)]?.check()
          .then(() => "holds", () => "lost");
      case "release":
        return await this.#leases[number % Math.max(1, this.#leases.length)]?.release();
      default:
        return await this.#place.age(name as "locks" | "runs" | "workers");
    }
  }
}

const NAMES = [
  ...[
    "ask",
    "ask",
    "take",
    "take",
    "take",
    "end",
    "put off",
    "fail",
    "unlock",
    "forget",
    "join",
    "beat",
    "expire",
  ],
  ...["lease", "lease", "check", "release", "locks", "runs", "workers"],
];

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test(`the model of the queue does what PostgreSQL and the queue's library do, on ${TRACES} traces of ${STEPS} steps`, async () => {
    const driver = await PostgresDriver.open(await makeStore(server));
    const seen = new Map<string, number>();
    try {
      for (let seed = 1; seed <= TRACES; seed++) {
        const chance = new Chance(seed, () => {});
        const real = await realPlace(driver.database);
        const model = modelPlace();
        const plays = [new Play(model), new Play(real)];
        const trace: string[] = [];
        for (let step = 0; step < STEPS; step++) {
          const name = chance.pick("step", NAMES);
          const number = chance.integer("number", 0, 5);
          trace.push(`${name} ${number}`);
          const [said, expected] = [
            await plays[0]!.step(name, number, step),
            await plays[1]!.step(name, number, step),
          ];
          const words = `seed ${seed}: ${trace.join(", ")}`;
          deepEqual(said ?? null, expected ?? null, words);
          deepEqual(await model.dump(), await real.dump(), words);
          const result = `${name} ${typeof said === "string" ? said : said === undefined ? "" : "something"}`;
          seen.set(result, (seen.get(result) ?? 0) + 1);
        }
        await real.end();
      }
    } finally {
      await driver.close();
    }
    const rare = [
      "end ended",
      "end lost",
      "put off ended",
      "put off lost",
      "lease held",
      "lease not listed",
      "check lost",
    ]
      .filter((result) => (seen.get(result) ?? 0) < 3);
    deepEqual(rare, [], "every outcome was met");
  });
}
