/**
 * Consumes a queue or a folder into a store until nothing is left, in a process of its own that may be killed at any moment. Prints "begun"
 * when it begins and "done" at the end.
 *
 * @module
 */
import {
  consumeStream,
  folderSource,
  openQueue,
  type QueueCredentials,
  type StreamTables,
  Warehouse,
} from "../../../src/store/mod.ts";

/** What the process is to do, as JSON in its first argument. */
export interface StreamJob {
  /** Address of the queue, or path of a folder that a delivery stream writes to. */
  readonly queue: string;
  /** Who reads it. */
  readonly credentials: QueueCredentials;
  /** Path or address of the store. */
  readonly store: string;
}

/** Milliseconds before and after each transaction: without them nearly every kill would hit a request. */
const PAUSE = 5;

function slowed(stream: StreamTables): StreamTables {
  const pause = (): Promise<void> => new Promise((done) => setTimeout(done, PAUSE));
  return {
    write: async (batch) => {
      await pause();
      const written = await stream.write(batch);
      await pause();
      return written;
    },
    putHours: (hours) => stream.putHours(hours),
    accounts: () => stream.accounts(),
    putAccounts: (accounts) => stream.putAccounts(accounts),
    objects: (addresses) => stream.objects(addresses),
    forgetObjects: (range, there) => stream.forgetObjects(range, there),
    confirmations: () => stream.confirmations(),
    confirm: (url, at) => stream.confirm(url, at),
  };
}

if (import.meta.main) {
  const { queue, credentials, store: place } = JSON.parse(Deno.args[0]!) as StreamJob;
  const store = await Warehouse.open(place);
  const source = queue.startsWith("http")
    ? (await openQueue(queue, { credentials, receivers: 2 })).source
    : await folderSource(queue);
  console.log("begun");
  await consumeStream({ stream: slowed(store.stream) }, source, { once: true });
  await store.close();
  console.log("done");
}
