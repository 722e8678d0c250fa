import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { after, before } from "../../support/hooks.ts";
import { long } from "../../support/long.ts";
import { hasPostgres, type TestServer, testServer } from "../../support/postgres.ts";
import { StoreDatabases } from "../../support/store_databases.ts";
import { storeContract } from "../contract.ts";

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  const databases = new StoreDatabases(() => server);
  storeContract("PostgreSQL", async () => {
    const { address, giveBack } = await databases.take();
    return { open: () => PostgresDriver.open(address), remove: giveBack };
  }, long);
}
