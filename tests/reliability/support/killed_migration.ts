import { DatabaseSync } from "node:sqlite";
import process from "node:process";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

/** Opens the store that the first argument names, and kills this process before the statement whose number is the second. */
const [path = "", number = "0"] = process.argv.slice(2);
let statements = 0;
const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (/CREATE|ALTER|DROP|user_version/.test(sql) && ++statements === Number(number)) {
    process.kill(process.pid, "SIGKILL");
  }
  exec.call(this, sql);
};
await (await Warehouse.open(path)).close();
console.log(statements);
