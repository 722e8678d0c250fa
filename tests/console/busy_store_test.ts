import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { equal, match, ok } from "../support/assert.ts";
import { consoleWorld, signIn } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";

Deno.test("pages read on while a job waits for a store that another process writes to", async () => {
  await using world = await consoleWorld();
  await fillStore(world, 40);
  const page = await signIn(world);
  const other = new DatabaseSync(world.storePlace);
  other.exec("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE");
  let isLocked = true;
  const unlock = (): void => {
    if (isLocked) other.exec("COMMIT");
    isLocked = false;
  };
  // Only ends a hang.
  const limit = setTimeout(unlock, 60_000);
  let isOver = false;
  const path = `/api/profiles/${world.us.profileId}/plan/bids/preview`;
  const job = page.ask(path, { where: "clicks30d >= 5", change: "-10%" }).finally(() => isOver = true);
  try {
    for (let looks = 0; looks < 30; looks++) {
      equal((await page.ask("/api/store")).status, 200);
      ok(isLocked && !isOver, "a page waited for the writer");
    }
  } finally {
    clearTimeout(limit);
    unlock();
    other.close();
  }
  // No figures of keywords are stored, so that it had to fetch and write them; the emulator makes none so soon.
  const { status, data } = await job;
  equal(status, 502);
  match(data.error.message, /sp_targeting .* still PENDING/);
});

Deno.test("a console that has stopped holds no store open", async () => {
  await using world = await consoleWorld();
  await fillStore(world, 40);
  const page = await signIn(world);
  equal((await page.ask("/api/store")).status, 200);
  ok(existsSync(`${world.storePlace}-wal`), "between requests it is open");
  world.stop();
  await world.console.close();
  ok(!existsSync(`${world.storePlace}-wal`));
});
