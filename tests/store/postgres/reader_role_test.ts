import assert from "node:assert/strict";
import { runQuery } from "../../../src/store/postgres/ad_hoc_query.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import { readerLogin } from "../../../src/store/postgres/reader_role.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeDatabase, testServer, withSql } from "../../support/postgres.ts";
import { runCli } from "../../cli/support/run_cli.ts";

/** Statements that leave their bounds where nothing but a filter of names holds them. */
const ESCAPES = [
  "SELECT 1 --\r, pg_read_file('/etc/passwd')",
  "SELECT E'a'\n'\\'', pg_read_file('/etc/passwd') --'",
  "SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery FROM platform_ads.workers')",
  "SELECT ts_rewrite('a'::tsquery, 'SELECT set_config(''role'', ''none'', true)::tsquery, ''b''::tsquery')",
  "SELECT set_config('role', 'none', true)",
  "SELECT set_config('statement_timeout', '0', false)",
  "SELECT pg_advisory_lock(1)",
  "SELECT pg_try_advisory_xact_lock(1)",
  "SELECT pg_terminate_backend(1)",
  "SELECT pg_cancel_backend(1)",
  "SELECT pg_sleep(1)",
  "SELECT pg_ls_dir('.')",
  "SELECT lo_import('/etc/passwd')",
  "SELECT query_to_xml('SELECT 1', true, true, '')",
  "SELECT database_to_xml(true, true, '')",
  "SELECT ts_stat('SELECT ''a''::tsvector')",
  "SELECT current_setting('data_directory')",
  "SELECT pg_notify('a', 'b')",
  "SELECT pg_logical_emit_message(false, 'a', 'b')",
  "SELECT nextval('hidden.numbers')",
  "SELECT * FROM pg_stat_activity",
  "SELECT * FROM pg_settings",
  "SELECT * FROM pg_authid",
  "SELECT * FROM hidden.secrets",
  "SELECT reveal()",
  "SELECT * FROM schedules",
  "SELECT * FROM workers",
  "EXPLAIN ANALYZE SELECT pg_advisory_lock(1)",
];

if (hasPostgres) {
  Deno.test("SQL of agents logs in as a reader that owns nothing, reads reports and calls what only computes", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    const { role, address: readers } = readerLogin(address);
    try {
      await using store = await Warehouse.open(address);
      const rows = async (sql: string, asOf?: string): Promise<unknown> =>
        (await store.query(sql, [], { asReader: true, asOf })).rows;
      const missing = new RegExp(`role ${role}, which does not exist. Run grantReader\\(\\)`);
      await assert.rejects(rows("SELECT 1 AS one"), missing);
      assert.deepEqual((await store.query("SELECT 1 AS one")).rows, [{ one: 1 }], "own SQL needs no role");
      await withSql(address, async (sql) => {
        await sql.text("CREATE SCHEMA hidden");
        await sql.text("CREATE TABLE hidden.secrets AS SELECT 1 AS one");
        await sql.text("CREATE SEQUENCE hidden.numbers");
        await sql.text(
          "CREATE FUNCTION public.reveal() RETURNS SETOF hidden.secrets SECURITY DEFINER LANGUAGE sql " +
            "AS 'SELECT * FROM hidden.secrets'",
        );
      });

      const granted = await runCli(["store", "grant-reader", "--store", address]);
      assert.deepEqual([granted.code, granted.stderr], [0, "Agents' SQL now runs as its own role\n"]);
      assert.deepEqual(await rows("SELECT current_user = session_user AS own, current_user::text AS role"), [
        { own: true, role },
      ]);
      for (const asOf of [undefined, "2026-11-01"]) {
        for (
          const view of [
            "sp_campaigns",
            "sp_placement",
            "sp_keywords",
            "performance",
            "budget_pressure",
            "days",
          ]
        ) {
          assert.deepEqual(
            await rows(`SELECT count(*)::int AS n FROM (SELECT * FROM ${view} LIMIT 5) AS found`, asOf),
            [{ n: 0 }],
          );
        }
      }
      await rows(
        "SELECT now() - interval '1 day', to_char(now(), 'YYYY'), string_agg('a', ','), round(1.5, 1)",
      );
      await rows(
        "SELECT date_trunc('week', now()), percentile_cont(0.5) WITHIN GROUP (ORDER BY 1), rank() OVER ()",
      );

      // The role holds without the filter of names, which is a second line alone.
      const database = connect(readers, { max: 1 });
      try {
        for (const sql of ESCAPES) {
          const escaped = database.withSession((session) => session.lists({ text: sql, values: [] }));
          await assert.rejects(escaped, /permission denied|does not exist/, sql);
          await assert.rejects(rows(sql), /^QueryError: Cannot run the query: /, sql);
        }
        await assert.rejects(
          runQuery("CREATE TABLE own (a int)", { params: [], maxRows: 1 }, { database, location: "there" }),
          /Cannot run the query/,
        );
      } finally {
        await database.close();
      }

      const again = await runCli(["store", "grant-reader", "--store", address]);
      assert.deepEqual(again.code, 0, again.stderr);
      for (
        const [loosen, tighten, why] of [
          [
            "GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC",
            "",
            /may call pg_advisory_lock\(bigint\)/,
          ],
          [`ALTER ROLE ${role} CREATEDB`, "", /may do more than log in/],
          [
            `GRANT pg_read_server_files TO ${role}`,
            `REVOKE pg_read_server_files FROM ${role}`,
            /may do more than/,
          ],
          [`CREATE SCHEMA theirs AUTHORIZATION ${role}`, "DROP SCHEMA theirs", /owns objects/],
          [`GRANT SELECT ON platform_ads.workers TO ${role}`, "", /reads tables that are not reports/],
        ] as const
      ) {
        await withSql(address, (sql) => sql.text(loosen));
        await assert.rejects(rows("SELECT 1 AS one"), why);
        if (tighten !== "") await withSql(address, (sql) => sql.text(tighten));
        await store.grantReader();
        assert.deepEqual(await rows("SELECT 1 AS one"), [{ one: 1 }], loosen);
      }

      await using other = await Warehouse.open(await makeDatabase(server));
      await assert.rejects(
        other.query("SELECT 1", [], { asReader: true }),
        /does not exist/,
        "one for each database",
      );
    } finally {
      await server.stop();
    }
  });
}

if (hasPostgres) {
  Deno.test("an owner who may make roles is sent to a superuser once, and brings the reader up to date afterwards", async () => {
    const server = await testServer();
    const address = await makeDatabase(server);
    const owner = `owner_${crypto.randomUUID().replaceAll("-", "")}`;
    const own = new URL(address);
    [own.username, own.password] = [owner, "secret"];
    try {
      await withSql(address, async (sql) => {
        await sql.text(`CREATE ROLE ${owner} LOGIN PASSWORD 'secret' CREATEROLE`);
        await sql.text(`ALTER DATABASE "${own.pathname.slice(1)}" OWNER TO ${owner}`);
      });
      await using store = await Warehouse.open(own.href);
      await assert.rejects(
        store.grantReader(),
        /role platform_ads_reader_\w+, which may call .*Run grantReader\(\) as a superuser/,
      );
      const { stdout } = await runCli(["store", "grant-reader", "--store", own.href, "--print"]);
      await withSql(address, (sql) => sql.text(stdout));
      await store.grantReader();
      await withSql(own.href, (sql) => sql.text("CREATE TABLE platform_ads.later AS SELECT 7 AS one"));
      const { rows } = await store.query("SELECT one FROM later", [], { asReader: true });
      assert.deepEqual(rows, [{ one: 7 }], "the owner's tables of later are granted as well");
    } finally {
      await withSql(address, (sql) => sql.text(`REASSIGN OWNED BY ${owner} TO CURRENT_USER`));
      await server.stop();
    }
  });
}

Deno.test("a store in a file has no reader to grant, and the statements can be printed for an administrator", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await Warehouse.open(`${folder}/ads.sqlite`);
    await assert.rejects(store.grantReader(), /Cannot grant a reader in .*: SQLite has no roles/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const print = (store: string) => runCli(["store", "grant-reader", "--print", "--store", store]);
  const { stdout } = await print("postgres://ads:secret@db.internal/ads");
  assert.match(stdout, /CREATE ROLE platform_ads_reader_ads;/);
  assert.match(stdout, /REVOKE EXECUTE ON ROUTINE/);
  assert.doesNotMatch(stdout, /secret/);
  assert.match(
    (await print("ads.sqlite")).stderr,
    /Cannot print the statements: the store is not in PostgreSQL/,
  );
  assert.match((await print("postgres://ads@db.internal/ads")).stderr, /its address has no password/);
});
