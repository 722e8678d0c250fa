import { deepEqual, equal } from "../support/assert.ts";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Warehouse } from "../../src/store/warehouse.ts";
import { amount } from "./support/size.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const WHAT = {
  profileId: "1",
  countryCode: "US",
  report: "sp_campaigns",
  start: "2026-09-01",
  end: "2026-09-01",
};
/** The first statements are all tried, and then every so many. */
const [FIRST, STEP] = [amount(3, 6), amount(24, 9)];
const ROW = { date: "2026-09-01", campaignId: "1", cost: 2 };

/** A store as the first release made it. */
async function oldStore(path: string): Promise<void> {
  const store = await Warehouse.open(path);
  await store.replace(WHAT, [ROW, { ...ROW, campaignId: "2" }]);
  await store.close();
  const old = new DatabaseSync(path);
  const entries = old.prepare("SELECT name, type FROM sqlite_master").all();
  for (const { name, type } of entries) {
    if (type === "trigger" || type === "view") old.exec(`DROP ${type} ${name}`);
  }
  for (const name of entries.filter(({ type }) => type === "table").map((entry) => String(entry["name"]))) {
    if (
      /_(?:history|changes)$|^(?:entities|entity_pulls|maturity|day_hashes|row_numbers|stream_.*)$/.test(name)
    ) {
      old.exec(`DROP TABLE ${name}`);
    } else if (name.startsWith("report_s")) {
      old.exec(`ALTER TABLE ${name} DROP COLUMN known_from; ALTER TABLE ${name} DROP COLUMN ref`);
    }
  }
  old.exec(
    "ALTER TABLE days DROP COLUMN made_at; ALTER TABLE days DROP COLUMN first_pulled_at; PRAGMA user_version = 1",
  );
  old.close();
}

async function killedBefore(path: string, number: number): Promise<{ code: number; statements: number }> {
  const program = fileURLToPath(new URL("support/killed_migration.ts", import.meta.url));
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", program, path, String(number)],
    stderr: "null",
  }).output();
  return { code, statements: Number(new TextDecoder().decode(stdout)) };
}

Deno.test("a migration that is killed at any step leaves the old store, which the next one brings up to date", async () => {
  const folder = await temporaryFolder();
  try {
    await oldStore(folder.file("old.sqlite"));
    await Deno.copyFile(folder.file("old.sqlite"), folder.file("whole.sqlite"));
    const { code, statements } = await killedBefore(folder.file("whole.sqlite"), 0);
    equal(code, 0);
    for (let step = 1; step <= statements; step += step < FIRST ? 1 : STEP) {
      const path = folder.file(`killed-${step}.sqlite`);
      await Deno.copyFile(folder.file("old.sqlite"), path);
      equal((await killedBefore(path, step)).code, 137, `killed before statement ${step} of ${statements}`);
      const left = new DatabaseSync(path, { readOnly: true });
      equal(left.prepare("PRAGMA user_version").get()?.["user_version"], 1, "all or nothing");
      left.close();
      const store = await Warehouse.open(path);
      const { rows } = await store.query("SELECT sum(cost) AS cost FROM sp_campaigns", [], {
        asOf: "2020-01-01",
      });
      deepEqual(rows.map(({ cost }) => cost), [4]);
      await store.replace(WHAT, [{ ...ROW, cost: 3 }]);
      equal((await store.query("SELECT * FROM sp_campaigns_history")).rows.length, 3);
      await store.close();
    }
  } finally {
    await folder.remove();
  }
});
