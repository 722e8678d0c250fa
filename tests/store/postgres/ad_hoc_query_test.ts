import { deepEqual, equal, match, ok, rejects, throws } from "../../support/assert.ts";
import type { Database, Session } from "../../../src/store/postgres/database.ts";
import { type QueryWorld, refuseFunctions, runQuery } from "../../../src/store/postgres/ad_hoc_query.ts";
import { checkReader, readerStatements } from "../../../src/store/postgres/reader_role.ts";
import type { DriverQuery } from "../../../src/store/model/store_driver.ts";
import { QueryError, StoreError } from "../../../src/store/model/store_error.ts";
import { type Answers, fakeSql } from "../queue/fake_sql.ts";

interface Found {
  readonly columns: readonly string[];
  readonly rows: readonly unknown[][];
}

/** A database whose session finds rows, or fails with an error of the server. */
function worldOf(
  found: Found | Error,
  { answers = {}, timeout }: { answers?: Answers; timeout?: number } = {},
) {
  const { sql, sent } = fakeSql(answers);
  const session = Object.assign(sql, {
    lists: ({ text, values }: { text: string; values: readonly unknown[] }) => {
      sent.push({ text, values: values as never });
      if (text.startsWith("DECLARE") && !(found instanceof Error)) {
        return Promise.resolve({ columns: [], rows: [] });
      }
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    },
  }) as unknown as Session;
  const database = { withSession: (work: (session: Session) => Promise<unknown>) => work(session) };
  const world: QueryWorld = {
    database: database as unknown as Database,
    location: "postgres at db.example",
    timeout,
  };
  return { world, sent };
}

const query = (options: Partial<DriverQuery> = {}): DriverQuery => ({ params: [], maxRows: 2, ...options });
const rowsOf = (count: number): Found => ({
  columns: ["x"],
  rows: Array.from({ length: count }, (_, at) => [at]),
});

Deno.test("a query gives as many rows as are wanted, and says whether there are more", async () => {
  const run = async (count: number, maxRows = 2) =>
    await runQuery("SELECT 1", query({ maxRows }), worldOf(rowsOf(count)).world);
  deepEqual(await run(1), { columns: ["x"], rows: [{ x: 0 }], truncated: false });
  equal((await run(2)).truncated, false);
  deepEqual(await run(3), { columns: ["x"], rows: [{ x: 0 }, { x: 1 }], truncated: true });
  deepEqual(await run(1, 0), { columns: ["x"], rows: [], truncated: true });
});

Deno.test("a query only reads, has a minute, and leaves nothing behind", async () => {
  const { world, sent } = worldOf(rowsOf(1));
  const views = [{ name: "v", sql: "SELECT 2" }];
  await runQuery(" SELECT ? ; \n", query({ params: [12n], views }), world);
  deepEqual(sent.map(({ text, values }) => [text, values]), [
    ["CREATE TEMPORARY VIEW v AS SELECT 2", []],
    ["SET client_connection_check_interval = 1000", []],
    ["BEGIN READ ONLY", []],
    ["SET LOCAL statement_timeout = 60000", []],
    ["SET LOCAL cursor_tuple_fraction = 1", []],
    ["DECLARE found NO SCROLL CURSOR FOR  SELECT $1", ["12"]],
    ["FETCH 3 FROM found", []],
    ["ROLLBACK", []],
    ["DISCARD ALL", []],
  ]);
  const all = worldOf(rowsOf(1), { timeout: 5 });
  await runQuery("SELECT 1", query({ maxRows: Infinity }), all.world);
  ok(all.sent.some(({ text }) => text === "FETCH ALL FROM found"));
  ok(all.sent.some(({ text }) => text === "SET LOCAL statement_timeout = 5"));
});

Deno.test("columns of one name are numbered, whatever else there is", async () => {
  const found = { columns: ["x", "x", "x:1", "x", "y"], rows: [[1, 2, 3, 4, 5]] };
  const { columns, rows } = await runQuery("SELECT 1", query(), worldOf(found).world);
  deepEqual(columns, ["x", "x:1", "x:1:1", "x:2", "y"]);
  deepEqual(rows, [{ "x": 1, "x:1": 2, "x:1:1": 3, "x:2": 4, "y": 5 }]);
});

Deno.test("EXPLAIN runs as it is, behind comments too", async () => {
  for (const sql of ["EXPLAIN SELECT 1", "-- why\n/* so */ explain SELECT 1"]) {
    const { world, sent } = worldOf(rowsOf(1));
    await runQuery(sql, query(), world);
    ok(sent.some(({ text }) => text === sql), sql);
    ok(!sent.some(({ text }) => text.startsWith("DECLARE")), sql);
  }
  const { world, sent } = worldOf(rowsOf(1));
  await runQuery("SELECT 'explain'", query(), world);
  ok(sent.some(({ text }) => text.startsWith("DECLARE")));
});

Deno.test("what is no statement, names a function that is refused, or holds a NUL, is not sent", async () => {
  const { world, sent } = worldOf(rowsOf(1));
  for (
    const [sql, message] of [
      [" ; ;", /there is no statement in it/],
      ["SELECT pg_read_file('x')", /it may not call pg_read_file/],
      ["SELECT '\0'", /NUL character/],
    ] as const
  ) {
    await rejects(
      runQuery(sql, query(), world),
      (error: Error) => error instanceof QueryError && message.test(error.message),
    );
  }
  deepEqual(sent, []);
});

/** As the driver makes them: what the server does not say is there without a value. */
const failing = (code: string, message: string, hint?: string): Error =>
  Object.assign(new Error(message), { code, hint });
const ONLY = "A query only reads: SELECT, WITH ... SELECT, VALUES or EXPLAIN";

const REFUSALS: readonly (readonly [error: Error, message: string])[] = [
  [failing("57014", "canceled"), "it took longer than 60 s. Narrow it, for example by profile_id and date"],
  [
    failing("42601", "cannot insert multiple commands into a prepared statement"),
    "there is more than one statement in it. Run them one by one",
  ],
  [failing("25006", "cannot execute x"), `cannot execute x. ${ONLY}`],
  [
    failing("0A000", "DECLARE CURSOR must not contain data-modifying statements"),
    `DECLARE CURSOR must not contain data-modifying statements. ${ONLY}`,
  ],
  [failing("0A000", "SELECT INTO is not allowed"), `SELECT INTO is not allowed. ${ONLY}`],
  [failing("0A000", "not implemented"), "not implemented"],
  [failing("42601", 'syntax error at or near "drop"'), `syntax error at or near "drop". ${ONLY}`],
  [failing("42601", 'syntax error at or near "selct"'), 'syntax error at or near "selct"'],
  [failing("42703", 'at or near "drop"'), 'at or near "drop"'],
  [failing("42703", "no column x", "Try y."), "no column x. Try y"],
  [
    failing(
      "42703",
      "no column searchterm",
      'Perhaps you meant to reference the column "sp_search_terms.searchTerm".',
    ),
    'no column searchterm. Perhaps you meant to reference the column "sp_search_terms.searchTerm". Names with capitals are quoted: "searchTerm"',
  ],
  [
    failing("42703", "no column costs", 'Perhaps you meant the column "x.cost".'),
    'no column costs. Perhaps you meant the column "x.cost"',
  ],
  [failing("08P01", "bind message supplies 1 parameters"), "bind message supplies 1 parameters"],
];

for (const [error, message] of REFUSALS) {
  Deno.test(`a query that fails with ${error.message.slice(0, 60)} says what to do`, async () => {
    const { world, sent } = worldOf(error);
    await rejects(runQuery("SELECT 1", query(), world), (refused: Error) => {
      ok(refused instanceof QueryError);
      equal(refused.message, `Cannot run the query: ${message}`);
      equal(refused.cause, error);
      return true;
    });
    equal(sent.at(-1)?.text, "DISCARD ALL");
  });
}

Deno.test("a database that is away is not taken for a query that is wrong", async () => {
  for (
    const error of [
      failing("57P01", "terminating"),
      failing("08006", "lost"),
      failing("53300", "too many"),
      failing("ECONNRESET", "reset"),
    ]
  ) {
    await rejects(runQuery("SELECT 1", query(), worldOf(error).world), (thrown: Error) => {
      ok(!(thrown instanceof QueryError), thrown.message);
      ok(thrown instanceof StoreError, `${error.message}: ${thrown.constructor.name}`);
      return true;
    });
  }
});

Deno.test("a session that cannot be cleaned up does not hide what the query found", async () => {
  const { world } = worldOf(rowsOf(1), {
    answers: { ROLLBACK: new Error("lost"), "DISCARD ALL": new Error("lost") },
  });
  equal((await runQuery("SELECT 1", query(), world)).rows.length, 1);
});

Deno.test("comments inside of comments and names with escapes are refused, for they could hide a name", () => {
  throws(() => refuseFunctions("SELECT /* a /* b */ 1"), /nested comments/);
  throws(() => refuseFunctions('SELECT U&"x"'), /Unicode escapes/);
  refuseFunctions("SELECT /* a */ 1 /*/ b */");
});

Deno.test("the reader reads reports, and nothing of the work of syncs and workers", async () => {
  const statements = readerStatements({ role: "reader", owner: "ads", password: "x" }).join("\n");
  match(statements, /GRANT SELECT ON ALL TABLES/);
  for (
    const table of [
      "workers",
      "sync_leases",
      "paces",
      "schedules",
      "rollouts",
      "plan_journals",
      "stream_confirmations",
    ]
  ) {
    match(statements, new RegExp(`to_regclass.*\\.${table}\\b`));
  }
  await rejects(checkReader(fakeSql().sql, "reader"), /only as the role reader, which does not exist/);
});
