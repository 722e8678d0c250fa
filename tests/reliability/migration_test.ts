import { equal } from "../support/assert.ts";
import { DatabaseSync } from "node:sqlite";
import { checkBroughtUpToDate, fillStore, killedBefore } from "./support/old_store.ts";
import { amount } from "./support/size.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { longFile } from "../support/long.ts";

longFile();

/** The first statements are all tried, and then every so many. */
const [FIRST, STEP] = [amount(3, 6), amount(24, 9)];

/** A store as the first release made it. */
async function oldStore(path: string): Promise<void> {
  await fillStore(path);
  const old = new DatabaseSync(path);
  const entries = old.prepare("SELECT name, type FROM sqlite_master").all();
  for (const { name, type } of entries) {
    if (type === "trigger" || type === "view") old.exec(`DROP ${type} ${name}`);
  }
  for (const name of entries.filter(({ type }) => type === "table").map((entry) => String(entry["name"]))) {
    if (
      /_(?:history|changes)$|^(?:entities|entity_pulls|maturity|day_hashes|row_numbers|months|month_pulls|workflow_.*|stream_.*)$/
        .test(name)
    ) {
      old.exec(`DROP TABLE ${name}`);
    } else if (name.startsWith("report_s")) {
      old.exec(`ALTER TABLE ${name} DROP COLUMN known_from; ALTER TABLE ${name} DROP COLUMN ref`);
    }
  }
  old.exec(
    "ALTER TABLE days DROP COLUMN reporting; ALTER TABLE days DROP COLUMN reporting_since; " +
      "ALTER TABLE days DROP COLUMN made_at; ALTER TABLE days DROP COLUMN first_pulled_at; PRAGMA user_version = 1",
  );
  old.close();
}

const PROGRAM = "./killed_migration.ts";

Deno.test("a migration that is killed at any step leaves the old store, which the next one brings up to date", async () => {
  const folder = await temporaryFolder();
  try {
    await oldStore(folder.file("old.sqlite"));
    await Deno.copyFile(folder.file("old.sqlite"), folder.file("whole.sqlite"));
    const { code, statements } = await killedBefore(PROGRAM, folder.file("whole.sqlite"), 0);
    equal(code, 0);
    for (let step = 1; step <= statements; step += step < FIRST ? 1 : STEP) {
      const path = folder.file(`killed-${step}.sqlite`);
      await Deno.copyFile(folder.file("old.sqlite"), path);
      equal(
        (await killedBefore(PROGRAM, path, step)).code,
        137,
        `killed before statement ${step} of ${statements}`,
      );
      const left = new DatabaseSync(path, { readOnly: true });
      equal(left.prepare("PRAGMA user_version").get()?.["user_version"], 1, "all or nothing");
      left.close();
      await checkBroughtUpToDate(path);
    }
  } finally {
    await folder.remove();
  }
});
