import { type Sql, sqlOver, type SqlRow, type Statement } from "../../../src/store/tables/postgres_sql.ts";
import type { QueueModel } from "./queue_model.ts";
import { isAboutRollouts } from "./rollout_model.ts";
import type { SimProcess } from "./sim_process.ts";
import type { World } from "./world.ts";

/** Milliseconds that a statement takes to the server, and its result back. */
const WAY = 20;

/** The name of the table of jobs among locks. */
const JOBS = "jobs";

/** A connection with a transaction. */
interface Transaction {
  readonly process: SimProcess;
  /** Its locks, with how they are held. */
  readonly locks: Map<string, "share" | "own">;
  /** Jobs, and rollouts with their plans, as they were before it changed any. */
  readonly before: { jobs?: string; rollouts?: string };
  /** True when the server ended its connection. */
  isEnded: boolean;
}

/** A program's connections to the database, as far as the queue needs them. */
export interface QueueConnection {
  readonly sql: Sql;
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Error of a server that ended a connection. */
class Terminated extends Error {
  readonly code = "57P01";

  constructor() {
    super("terminating connection due to administrator command");
  }
}

/**
 * A server with the tables of the model, asked over the network of a world: a statement that has arrived is carried out,
 * also where the process that sent it is killed or stands still. Transactions hold their locks until they end; those of a
 * killed process end with it, those of one that stands still when another ends its connections. Jobs are locked as a whole,
 * more coarsely than the real server does; a rollout is changed by whoever has locked it, and others see it as it was.
 */
export class QueueServer {
  readonly model: QueueModel;
  /** Called with each statement before it is carried out, for judges. */
  onRun: ((process: SimProcess, statement: Statement) => void) | undefined;
  readonly #world: World;
  readonly #open = new Set<Transaction>();
  readonly #waiting: (() => void)[] = [];

  constructor(world: World, model: QueueModel) {
    this.#world = world;
    this.model = model;
  }

  /** Connections of a process. */
  connect(process: SimProcess): QueueConnection {
    const single = (statement: Statement): Promise<SqlRow[]> =>
      this.#ask(process, statement.text, () => this.#alone(process, (own) => this.#run(own, statement)));
    return {
      sql: sqlOver(single),
      transaction: async (work) => {
        const own: Transaction = { process, locks: new Map(), before: {}, isEnded: false };
        this.#open.add(own);
        const end = (isDone: boolean): void => this.#end(own, isDone);
        process.torn.add(() => this.#cut(own));
        try {
          const result = await work(
            sqlOver((statement) => this.#ask(process, statement.text, () => this.#run(own, statement))),
          );
          await this.#ask(process, "COMMIT", () => {
            if (own.isEnded) throw new Terminated();
            end(true);
            return [];
          });
          return result;
        } catch (error) {
          await this.#ask(process, "ROLLBACK", () => {
            end(false);
            return [];
          });
          throw error;
        }
      },
    };
  }

  /** Closes the connections of a process that ends: what it has not committed is undone. */
  close(process: SimProcess): void {
    for (const one of this.#open) if (one.process === process) this.#cut(one);
  }

  /** Does something as the queue's library does: one statement of its own. */
  library<T>(process: SimProcess, label: string, run: (model: QueueModel) => T): Promise<T> {
    return this.#ask(process, label, () =>
      this.#alone(process, async (own) => {
        await this.#lock(own, JOBS, "own");
        return run(this.model);
      }));
  }

  /** Sends something and waits for its result; the way back ends at a process that is there. */
  #ask<T>(process: SimProcess, label: string, run: () => T | Promise<T>): Promise<T> {
    if (!process.isAlive) return new Promise(() => {});
    const world = this.#world;
    const way = (): number => world.chance.integer(`database ${process.name}`, 0, WAY);
    const name = label.replace(/\s+/g, " ").trim().slice(0, 40);
    return new Promise((resolve, reject) => {
      const back = (settle: () => void): void => {
        if (process.isAlive) world.at(way(), `result of ${name}`, settle, process);
      };
      world.at(way(), name, () => {
        Promise.resolve().then(run).then(
          (result) => back(() => resolve(result)),
          (error) => back(() => reject(error)),
        );
      });
    });
  }

  /** A statement that is a transaction of its own. */
  async #alone<T>(process: SimProcess, run: (own: Transaction) => Promise<T>): Promise<T> {
    const own: Transaction = { process, locks: new Map(), before: {}, isEnded: false };
    this.#open.add(own);
    try {
      return await run(own);
    } finally {
      this.#end(own, true);
    }
  }

  async #run(own: Transaction, { text, values }: Statement): Promise<SqlRow[]> {
    const statement = { text: text.replace(/\s+/g, " ").trim(), values };
    for (const { name, mode } of this.model.locksOf(statement)) await this.#lock(own, name, mode);
    if (/graphile_worker/.test(statement.text) && !/^SELECT DISTINCT/.test(statement.text)) {
      await this.#lock(own, JOBS, "own");
      own.before.jobs ??= JSON.stringify(this.model.jobs);
    }
    if (own.isEnded) throw new Terminated();
    if (statement.text.includes("pg_terminate_backend")) this.#terminate(String(statement.values[1]));
    const shared = [...this.#open].filter((one) => one !== own).flatMap(({ locks }) => [...locks.keys()]);
    const run = () => this.model.run(statement, new Set(shared.map((name) => name.replace("worker ", ""))));
    this.onRun?.(own.process, statement);
    return isAboutRollouts(statement.text) ? this.#asCommitted(own, run) : run();
  }

  /** Runs a statement about rollouts without what others have not committed. */
  #asCommitted(own: Transaction, run: () => SqlRow[]): SqlRow[] {
    const { rollouts } = this.model;
    if ([...own.locks.keys()].some((name) => name.startsWith("rollout "))) {
      own.before.rollouts ??= rollouts.save();
    }
    const writer = [...this.#open].find((one) => one !== own && one.before.rollouts !== undefined);
    if (writer?.before.rollouts === undefined) return run();
    const now = rollouts.save();
    rollouts.load(writer.before.rollouts);
    try {
      return run();
    } finally {
      rollouts.load(now);
    }
  }

  /** Gives a transaction a lock once no other holds one that excludes it. */
  async #lock(own: Transaction, name: string, mode: "share" | "own"): Promise<void> {
    const isHeld = (): boolean =>
      [...this.#open].some((one) => {
        const held = one === own ? undefined : one.locks.get(name);
        return held !== undefined && (held === "own" || mode === "own");
      });
    while (isHeld() && !own.isEnded) await new Promise<void>((go) => this.#waiting.push(go));
    own.locks.set(name, mode);
  }

  /** Ends the connections of a worker that is silent. */
  #terminate(workerId: string): void {
    const processName = workerId.split(".")[0];
    for (const one of this.#open) {
      if (one.process.name === processName) this.#cut(one);
    }
  }

  #cut(own: Transaction): void {
    own.isEnded = true;
    this.#end(own, false);
  }

  #end(own: Transaction, isDone: boolean): void {
    if (!this.#open.delete(own)) return;
    if (!isDone && own.before.jobs !== undefined) this.model.jobs = JSON.parse(own.before.jobs);
    if (!isDone && own.before.rollouts !== undefined) this.model.rollouts.load(own.before.rollouts);
    for (const go of this.#waiting.splice(0)) go();
  }
}
