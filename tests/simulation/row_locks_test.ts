import { deepEqual, ok } from "../support/assert.ts";
import { test } from "node:test";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import { codeOf } from "../../src/store/postgres/postgres_error.ts";
import { sqlOver, type Statement } from "../../src/store/tables/postgres_sql.ts";
import { Lease } from "../../src/store/queue/lease.ts";
import { WorkerList } from "../../src/store/queue/worker_list.ts";
import { QueueJournal } from "../../src/automation/worker/queue_journal.ts";
import { RolloutTable } from "../../src/automation/worker/rollout_table.ts";
import { after, before } from "../support/hooks.ts";
import { hasPostgres, makeStore, type TestServer, testServer } from "../support/postgres.ts";
import { QueueModel } from "./world/queue_model.ts";
import type { RowLock } from "./world/rollout_model.ts";

const ATTEMPT = { workerId: "one.1 attempt", jobId: "1", attempt: 1 };

/** Statements that lock a plan in one state only, each in another. */
const ONE_STATE = /^UPDATE rollout_plans SET state = (?:'open'|\$1)/;

/** The same for another line of a journal: two of one line wait for each other by the line. */
function otherLine({ text, values }: Statement): Statement {
  return {
    text,
    values: values.map((value, at) => text.startsWith("WITH plan AS") && at === 3 ? "other" : value),
  };
}

/** Rows that the statements are about. */
const ROWS = `
  INSERT INTO rollouts (id, options, state) VALUES ('r', '{"serial":["100%"],"stopOnFailures":0}', 'running');
  INSERT INTO rollout_plans (plan_id, rollout_id, place, profile_id, country_code, fingerprint, plan, state, worker_id)
    VALUES ('p', 'r', 0, '1', 'US', 'f', '{}', 'queued', 'one.1 attempt');
  INSERT INTO workers (id, pool_id, host, process_id, expires_at, state)
    VALUES ('one.1', 'pool', 'host', 1, now() + interval '1 hour', 'working');
  INSERT INTO sync_leases (profile_id, report, worker_id) VALUES ('1', 'sp_placement', 'one.1')`;

/** The statements of the project that lock a row by the model, as the project sends them. */
async function lockingStatements(): Promise<{ statement: Statement; locks: RowLock[] }[]> {
  const model = new QueueModel(() => Date.parse("2026-11-27T00:00:00Z"));
  const found = new Map<string, { statement: Statement; locks: RowLock[] }>();
  const sql = sqlOver(({ text, values }) => {
    const statement = { text: text.replace(/\s+/g, " ").trim(), values };
    const locks = model.locksOf(statement);
    if (locks.length > 0) found.set(statement.text, { statement, locks });
    return Promise.resolve(model.run(statement));
  });
  model.rollouts.rollouts.push({
    id: "r",
    options: '{"serial":["100%"],"stopOnFailures":0}',
    state: "running",
    stopped: null,
  });
  await sql`
    INSERT INTO rollout_plans VALUES (${"p"}, ${"r"}, ${0}, ${"1"}, ${"US"}, ${"f"}, ${"{}"}, ${null}, ${null},
      ${"queued"}, ${null})`;
  const table = new RolloutTable(
    { sql, transaction: (work: (own: typeof sql) => unknown) => work(sql) } as never,
  );
  const journal = new QueueJournal(sql, "p", ATTEMPT.workerId);
  await table.take("p", ATTEMPT);
  await journal.create("first\n");
  await journal.append("second\n");
  await table.end("p", ATTEMPT, { state: "done", summary: "" });
  await table.take("p", ATTEMPT);
  await table.end("p", ATTEMPT, { state: "unfinished", summary: "" });
  // One that was cut off stays, one that was not begun goes.
  await table.withdraw(sql, "r");
  model.rollouts.journals.splice(0, Infinity);
  await table.withdraw(sql, "r");
  const list = new WorkerList(sql, { processName: "one", seconds: 60 });
  await list.join("pool");
  await Lease.take(sql, list.id, { profileId: "1", report: "sp_placement" });
  await list.leave();
  return [...found.values()];
}

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  test("of each two statements that lock rows one waits for the other where the model says so, and nowhere else", async () => {
    const statements = await lockingStatements();
    ok(statements.length >= 8, `${statements.length} statements`);
    const driver = await PostgresDriver.open(await makeStore(server));
    try {
      const { database } = driver;
      await database.sql.text(ROWS);
      const waits = async (first: Statement, second: Statement): Promise<boolean> => {
        const undone = new Error("undone");
        let isHeld = false;
        await database.transaction(async (one) => {
          await one.text(first.text, first.values);
          await database.transaction(async (other) => {
            await other.text("SET LOCAL lock_timeout = 30");
            await other.text(second.text, second.values).catch((error) => {
              if (codeOf(error) !== "55P03") throw error;
              isHeld = true;
            });
            throw undone;
          }).catch((error) => {
            if (error !== undone) throw error;
          });
          throw undone;
        }).catch((error) => {
          if (error !== undone) throw error;
        });
        return isHeld;
      };
      const differs: string[] = [];
      for (const [at, one] of statements.entries()) {
        for (const other of statements.slice(at)) {
          // A plan is not queued and running at the same time.
          if ([one, other].every(({ statement: { text } }) => ONE_STATE.test(text)) && one !== other) {
            continue;
          }
          const expected = one.locks.some(({ name, mode }) =>
            other.locks.some((lock) => lock.name === name && (lock.mode === "own" || mode === "own"))
          );
          let isHeld = false;
          // Some lock a plan that is queued alone, others one that runs.
          for (const state of ["queued", "running"]) {
            await database.sql`UPDATE rollout_plans SET state = ${state}`;
            isHeld ||= await waits(one.statement, otherLine(other.statement));
          }
          if (isHeld !== expected) {
            differs.push(
              `${one.statement.text.slice(0, 50)} | ${other.statement.text.slice(0, 50)}: ${isHeld}`,
            );
          }
        }
      }
      deepEqual(differs, []);
    } finally {
      await driver.close();
    }
  });
}
