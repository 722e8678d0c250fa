import { SCHEMA } from "../schema_name.ts";
import type { Sql } from "../sql.ts";

/** The role that queries run as, where the database has it. */
export const READER_ROLE = "platform_ads_reader";

/** Tables for the work of syncs and workers, which no query of reports needs. */
const NOT_READ = [
  "workers",
  "sync_leases",
  "paces",
  "schedules",
  "rollouts",
  "rollout_plans",
  "plan_journals",
  "stream_confirmations",
];

/** The statements that make the reader's role, or bring it up to date. It reads the stored reports and nothing else. */
export function readerStatements(): string[] {
  return [
    `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN
    CREATE ROLE ${READER_ROLE} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
  END IF;
END $$`,
    `GRANT ${READER_ROLE} TO CURRENT_USER`,
    `GRANT USAGE ON SCHEMA ${SCHEMA} TO ${READER_ROLE}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${SCHEMA} TO ${READER_ROLE}`,
    `REVOKE ALL ON ${NOT_READ.map((table) => `${SCHEMA}.${table}`).join(", ")} FROM ${READER_ROLE}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${SCHEMA} GRANT SELECT ON TABLES TO ${READER_ROLE}`,
  ];
}

/** Makes a session the reader's until it is reset, where there is one that its user may become. */
export async function becomeReader(session: Sql): Promise<void> {
  const roles = await session.text(
    `SELECT 1 FROM pg_roles WHERE rolname = '${READER_ROLE}' AND pg_has_role(current_user, oid, 'MEMBER')
     AND has_schema_privilege(oid, '${SCHEMA}', 'USAGE')`,
  );
  if (roles.length > 0) await session.text(`SET ROLE ${READER_ROLE}`);
}
