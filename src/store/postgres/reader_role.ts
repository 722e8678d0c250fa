import { createHmac } from "node:crypto";
import { QueryError } from "../model/store_error.ts";
import { SCHEMA, type Sql } from "../tables/postgres_sql.ts";

const NOT_READ = [
  "workers",
  "sync_leases",
  "paces",
  "schedules",
  "rollouts",
  "rollout_plans",
  "plan_journals",
  "stream_confirmations",
].map((table) => `${SCHEMA}.${table}`);

const STABLE = [
  [
    "age",
    "clock_timestamp",
    "date",
    "date_add",
    "date_part",
    "date_subtract",
    "date_trunc",
    "extract",
    "now",
  ],
  [
    "make_timestamptz",
    "overlaps",
    "statement_timestamp",
    "timezone",
    "transaction_timestamp",
    "generate_series",
  ],
  ["to_char", "to_date", "to_number", "to_timestamp", "concat", "concat_ws", "format", "array_to_string"],
  ["to_json", "to_jsonb", "row_to_json", "array_to_json", "json_build_object", "json_build_array"],
  ["jsonb_build_object", "jsonb_build_array", "json_to_record", "json_to_recordset", "jsonb_to_record"],
  ["jsonb_to_recordset", "quote_literal", "quote_nullable", "to_tsvector", "plainto_tsquery", "to_tsquery"],
  ["random", "pg_typeof", "current_database", "version"],
].flat();

const ALLOWED = `p.pronamespace = 'pg_catalog'::regnamespace AND NOT p.prosecdef AND p.prokind <> 'p' AND (
    p.provolatile = 'i' OR p.proname IN (${STABLE.map((name) => `'${name}'`).join(", ")})
    OR p.provolatile = 's' AND (EXISTS (SELECT FROM pg_catalog.pg_operator WHERE oprcode = p.oid)
      OR EXISTS (SELECT FROM pg_catalog.pg_cast WHERE castfunc = p.oid)))`;

interface ReaderLogin {
  /** Role name, unique per database since roles belong to the whole server. */
  readonly role: string;
  readonly owner: string;
  readonly password: string;
  readonly address: string;
}

export function readerLogin(address: string): ReaderLogin {
  const url = new URL(address);
  if (url.password === "") {
    throw new QueryError(
      "Cannot use the reader of the store: its address has no password, which the reader's password is derived from. " +
        "Give it as postgres://USER:PASSWORD@HOST/DATABASE",
    );
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  const role = `platform_ads_reader_${database.replace(/[^a-z0-9_]/gi, "_")}`.toLowerCase().slice(0, 63);
  const password = createHmac("sha256", decodeURIComponent(url.password)).update(`reader of ${database}`)
    .digest("hex");
  const owner = decodeURIComponent(url.username);
  url.username = role;
  url.password = password;
  return { role, owner, password, address: url.href };
}

/**
 * PostgreSQL grants every function to everybody; functions that the reader must not call are regranted to the other
 * roles through a group. Revoking requires a superuser; afterwards, CREATEROLE is enough to run the rest again.
 */
export function readerStatements({ role, owner, password }: Omit<ReaderLogin, "address">): string[] {
  const others = role.replace("_reader_", "_others_");
  return [
    `DO $$ DECLARE functions text; member name; BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role}; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${others}') THEN CREATE ROLE ${others} NOLOGIN; END IF;
  FOR member IN SELECT rolname FROM pg_roles WHERE NOT rolsuper AND rolname !~ '^(pg_|platform_ads_(reader|others)_)'
    AND NOT pg_has_role(rolname, '${others}', 'MEMBER') LOOP
    EXECUTE format('GRANT ${others} TO %I', member);
  END LOOP;
  SELECT string_agg(p.oid::regprocedure::text, ', ') INTO functions FROM pg_proc p WHERE NOT (${ALLOWED})
    AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      WHERE a.grantee = 0 AND a.privilege_type = 'EXECUTE');
  IF functions IS NOT NULL THEN
    EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO ${others}', functions);
    EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', functions);
  END IF;
END $$`,
    `ALTER ROLE ${role} LOGIN PASSWORD '${password}'`,
    `DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}'
    AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)) THEN
    ALTER ROLE ${role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
END $$`,
    `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${role}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${role}`,
    `DO $$ DECLARE one regclass; BEGIN
  FOREACH one IN ARRAY ARRAY[${NOT_READ.map((table) => `to_regclass('${table}')`).join(", ")}] LOOP
    IF one IS NOT NULL THEN EXECUTE format('REVOKE ALL ON %s FROM ${role}', one); END IF;
  END LOOP;
END $$`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE "${
      owner.replaceAll('"', '""')
    }" IN SCHEMA ${SCHEMA} GRANT SELECT ON TABLES TO ${role}`,
  ];
}

export async function checkReader(sql: Sql, role: string): Promise<void> {
  const [found] = await sql.text(
    `SELECT CASE
  WHEN NOT rolcanlogin OR rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
    OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid) THEN 'may do more than log in'
  WHEN EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = r.oid AND deptype = 'o')
    THEN 'owns objects'
  WHEN EXISTS (SELECT FROM unnest($2::text[]) t WHERE has_table_privilege(r.oid, to_regclass(t), 'SELECT'))
    THEN 'reads tables that are not reports'
  ELSE (SELECT 'may call ' || min(p.oid::regprocedure::text) FROM pg_proc p WHERE NOT (${ALLOWED})
    AND has_function_privilege(r.oid, p.oid, 'EXECUTE') AND has_schema_privilege(r.oid, p.pronamespace, 'USAGE'))
  END AS why FROM pg_roles r WHERE rolname = $1`,
    [role, `{${NOT_READ.join(",")}}`],
  );
  const why = found === undefined ? "does not exist" : found["why"];
  if (why === null) return;
  throw new QueryError(
    `Cannot run the query: agents may run SQL only as the role ${role}, which ${why}. ` +
      "Run grantReader() as a superuser of PostgreSQL",
  );
}
