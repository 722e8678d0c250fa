import { isAway } from "./postgres_error.ts";

/** Milliseconds that the database may be away, and between two tries. */
const [MAX_AWAY, PAUSE] = [60_000, 250];

/**
 * Does a piece of work on the database again while the server is away, as during a restart. Only for work that may be
 * done twice. Not the loop of `RetryPolicy`, which is about responses of the platform: a database has none.
 *
 * @throws what the work throws for any other reason, or when the server stays away for a minute.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || performance.now() - began > MAX_AWAY) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
