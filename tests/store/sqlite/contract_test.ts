import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { storeContract } from "../contract.ts";

storeContract("SQLite", async () => {
  const folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  return { open: () => SqliteDriver.open(path), remove: () => folder.remove() };
});
