import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { storeContract } from "../contract.ts";

storeContract("SQLite", async () => {
  const folder = await temporaryFolder();
  return { open: () => SqliteDriver.open(folder.file("ads.sqlite")), remove: () => folder.remove() };
});
