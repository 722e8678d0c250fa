import { realSleep } from "../../transport/sleep.ts";
import type { Database } from "../postgres/connection.ts";

/** Seconds between two tries, and after which it is given up. */
const [PAUSE, LONGEST] = [0.5, 600];

/** Waits until the database answers, as after a restart; for ten minutes at most. */
export async function awaitDatabase(database: Database): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < LONGEST * 1000) {
    const answers = await database`SELECT 1`.then(() => true, () => false);
    if (answers) return;
    await realSleep(PAUSE);
  }
}
