import { deepEqual, equal } from "../../support/assert.ts";
import { fileURLToPath } from "node:url";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

const DAY = "2026-09-01";
const WHAT = { profileId: "1", countryCode: "US", report: "sp_campaigns", start: DAY, end: DAY };
const ROW = { date: DAY, campaignId: "1", cost: 2 };

/** Makes a store with a day of two rows; what the first release had not is taken away by whoever asks. */
export async function fillStore(address: string): Promise<void> {
  await using store = await Warehouse.open(address);
  await store.replace(WHAT, [ROW, { ...ROW, campaignId: "2" }]);
}

/** What a program that migrates a store ended with. */
export interface Migration {
  /** Exit code; 137 when it was killed. */
  readonly code: number;
  /** Statements that it ran, when it was not. */
  readonly statements: number;
}

/** Opens a store by a program that kills itself before one of its statements; 0 for none. */
export async function killedBefore(program: string, address: string, number: number): Promise<Migration> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", path, address, String(number)],
    stderr: "null",
  }).output();
  return { code, statements: Number(new TextDecoder().decode(stdout)) };
}

/** Opens a store that was left as the first release made it, and holds that its rows are there and have a history. */
export async function checkBroughtUpToDate(address: string): Promise<void> {
  await using store = await Warehouse.open(address);
  const asOf = "2020-01-01";
  const { rows } = await store.query("SELECT sum(cost) AS cost FROM sp_campaigns", [], { asOf });
  deepEqual(rows.map(({ cost }) => cost), [4]);
  await store.replace(WHAT, [{ ...ROW, cost: 3 }]);
  equal((await store.query("SELECT * FROM sp_campaigns_history")).rows.length, 3);
}
