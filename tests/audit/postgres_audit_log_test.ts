import { equal, match, rejects } from "../support/assert.ts";
import { openAuditLog } from "../../src/automation/audit/open_audit_log.ts";
import { PostgresAuditLog } from "../../src/automation/audit/postgres_audit_log.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer, withSql } from "../support/postgres.ts";
import { auditContract, record } from "./audit_contract.ts";

if (hasPostgres) {
  let server: TestServer;
  Deno.test.beforeAll(async () => {
    server = await testServer();
  });
  Deno.test.afterAll(() => server.stop());

  auditContract("PostgreSQL", async (step) => {
    const address = await makeDatabase(server);
    await step((now) => new PostgresAuditLog(address, now === undefined ? {} : { now }));
  });

  Deno.test("PostgreSQL: a damaged last entry is not gone on from", async () => {
    const address = await makeDatabase(server);
    const log = await openAuditLog(address);
    await log.append(record("list_profiles"));
    await withSql(address, (sql) => sql.text("UPDATE platform_ads_audit.entries SET entry = '{'"));
    await rejects(log.append(record("list_profiles")), /entry 1 is damaged/);
    match(log.location, /^postgres:\/\/127\.0\.0\.1:\d+\/ads_/);
    equal(log.location.includes("@"), false, "no user and no password");
    await log.close();
  });

  Deno.test("PostgreSQL: a database that cannot be reached takes no entry", async () => {
    const log = new PostgresAuditLog("postgres://nobody:none@127.0.0.1:1/none");
    await rejects(log.append(record("list_profiles")));
    await log.close();
  });
}
