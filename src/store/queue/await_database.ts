import { realSleep } from "../../transport/sleep.ts";
import type { Sql } from "../postgres/sql.ts";

/** Seconds between two tries, and after which it is given up. */
const [PAUSE, MAX_WAIT] = [0.5, 600];

/**
 * Waits until the database responds, as after a restart; for ten minutes at most. A database has no responses of HTTP, so
 * `RetryPolicy` says nothing about it.
 */
export async function awaitDatabase(sql: Sql): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < MAX_WAIT * 1000) {
    const answers = await sql`SELECT 1`.then(() => true, () => false);
    if (answers) return;
    await realSleep(PAUSE);
  }
}
