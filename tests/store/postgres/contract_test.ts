import { after, before } from "node:test";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer } from "../../support/postgres.ts";
import { storeContract } from "../contract.ts";

if (hasPostgres) {
  let server: TestServer;
  before(async () => {
    server = await testServer();
  });
  after(() => server.stop());

  storeContract("PostgreSQL", async () => {
    const address = await makeDatabase(server);
    return { open: () => PostgresDriver.open(address), remove: () => Promise.resolve() };
  });
}
