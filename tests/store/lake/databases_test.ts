import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { after, before } from "../../support/hooks.ts";
import { long } from "../../support/long.ts";
import { hasPostgres, type TestServer, testServer } from "../../support/postgres.ts";
import { StoreDatabases } from "../../support/store_databases.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { testsFor } from "../contract/ground.ts";
import { lakeContract } from "./lake_contract.ts";

lakeContract(testsFor("SQLite", async () => {
  const folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  return { open: () => SqliteDriver.open(path), remove: () => folder.remove() };
}, () => {}));

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  const databases = new StoreDatabases(() => server);
  lakeContract(testsFor("PostgreSQL", async () => {
    const { address, giveBack } = await databases.take();
    return { open: () => PostgresDriver.open(address), remove: giveBack };
  }, long));
}
