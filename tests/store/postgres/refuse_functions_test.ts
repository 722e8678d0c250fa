import assert from "node:assert/strict";
import { refuseFunctions } from "../../../src/store/postgres/ad_hoc_query.ts";

const REFUSED = [
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT PG_Read_Binary_File ('/etc/passwd')",
  `SELECT "pg_read_file"('/etc/passwd')`,
  "SELECT pg_catalog.pg_ls_dir('/')",
  `SELECT pg_catalog . "pg_terminate_backend"(1)`,
  "SELECT/**/pg_terminate_backend(pid) FROM pg_stat_activity",
  "SELECT lo_import('/etc/passwd')",
  "SELECT lo_export(1, '/tmp/x')",
  "SELECT query_to_xml('select pg_read_file(''/etc/passwd'')', true, true, '')",
  "SELECT dblink_connect('host=elsewhere')",
  `SELECT U&"pg\\005fread_file"('/etc/passwd')`,
  "SELECT 'it''s' || lo_get(100)",
  "SELECT 'a' -- lo_get\n, lo_get(100)",
  "SELECT $$it's$$, lo_get(1)",
  "SELECT '\\' || pg_read_file('/etc/passwd') || ''",
  "SELECT /* /* */ ' */ pg_read_file('/etc/passwd') --'",
  "SELECT /*/* */ ' */ pg_read_file('/etc/passwd') --'",
  "SELECT set_config('role', 'postgres', true)",
  "SELECT $a$ $b$ $a$, lo_get(1), '$b$'",
  "SELECT 1 --\r, pg_read_file('/etc/passwd')",
  "SELECT ts_rewrite('a'::tsquery, 'SELECT 1')",
  "SELECT pg_advisory_lock(1)",
  "SELECT pg_try_advisory_xact_lock_shared(1)",
  "SELECT E'a'\n'\\'', pg_read_file('/etc/passwd') --'",
];

for (const sql of REFUSED) {
  Deno.test(`refused whatever the role: ${sql}`, () => {
    assert.throws(
      () => refuseFunctions(sql),
      /^QueryError: Cannot run the query: (?:it may not call|names with Unicode|nested comments)/,
    );
  });
}

Deno.test("texts, comments, columns and the functions of reports are let through", () => {
  const statements = [
    "SELECT * FROM sp_search_terms WHERE \"searchTerm\" = 'pg_read_file'",
    "SELECT sum(cost), date_trunc('week', date) -- lo_get\n FROM sp_campaigns GROUP BY 2 /* lo_import */",
    'WITH a AS (SELECT row_number() OVER (PARTITION BY "campaignId") AS n FROM sp_placement) SELECT max(n) FROM a',
    "SELECT $tag$ lo_import $tag$, E'\\'lo_get' , string_agg(\"searchTerm\", ', ')",
  ];
  for (const sql of statements) assert.doesNotThrow(() => refuseFunctions(sql), sql);
});
