import { codeOf } from "./postgres_error.ts";

/** Milliseconds that the database may be away, and between two tries. */
const [LONGEST, PAUSE] = [60_000, 250];

/** Codes that tell of a connection or server that is gone, and may come back. */
const AWAY =
  /^(?:57P0[123]|08\d{3}|CONNECTION_(?:CLOSED|DESTROYED)|CONNECT_TIMEOUT|ECONN(?:REFUSED|RESET|ABORTED)|EPIPE)$/;

/**
 * Does a piece of work on the database again while the server is away, as during a restart. Only for work that may be
 * done twice.
 *
 * @throws what the work throws for any other reason, or when the server stays away for a minute.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const away = AWAY.test(codeOf(error) ?? "") || (error as Error).message === GONE;
      if (!away || performance.now() - began > LONGEST) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** What Node says to a write on a connection that the server has ended; it comes with the code EPIPE or none. */
const GONE = "This socket has been ended by the other party";
