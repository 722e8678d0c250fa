import process from "node:process";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";

/** Opens the store at the first argument, and kills this process before the statement whose number is the second. */
const [address = "", number = "0"] = process.argv.slice(2);
let statements = 0;
const driver = await PostgresDriver.open(address, {
  onStatement: () => {
    if (++statements === Number(number)) process.kill(process.pid, "SIGKILL");
  },
});
await driver.close();
console.log(statements);
