import { realSleep } from "../../transport/sleep.ts";
import type { Client } from "pg";

/** Seconds before a lost connection is made anew: at first, and at most. */
const [FIRST_PAUSE, MAX_PAUSE] = [0.1, 5];

/** A channel, and what is called with its messages. */
export interface Listening {
  /** As NOTIFY names it. */
  readonly channel: string;
  /** Called with every message. */
  readonly onMessage: (message: string) => void;
  /** Called whenever listening has begun: what was sent before was not heard. */
  readonly onListening: () => void;
}

/**
 * Listens to a channel on a connection of its own, which is made anew when it is lost.
 *
 * @param connect Makes a connection.
 * @returns what ends it.
 */
export async function listen(
  connect: () => Client,
  { channel, onMessage, onListening }: Listening,
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  let current: Client | undefined;
  const begin = async (): Promise<void> => {
    const client = connect();
    client.on("notification", ({ payload }) => onMessage(payload ?? ""));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    current = client;
    client.once("end", () => void again());
    if (ended.signal.aborted) await client.end();
    else onListening();
  };
  const again = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE; !ended.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE)) {
      await realSleep(pause, ended.signal).catch(() => {});
      if (ended.signal.aborted || await begin().then(() => true, () => false)) return;
    }
  };
  await begin();
  return async () => {
    ended.abort();
    await current?.end();
  };
}
