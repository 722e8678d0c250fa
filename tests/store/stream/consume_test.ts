import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import type { StreamMessage } from "../../../src/store/stream/read_message.ts";
import type { StreamSource } from "../../../src/store/stream/stream_source.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

const traffic = (id: string, advertiser = "E1"): Readonly<Record<string, unknown>> => ({
  dataset_id: "sp-traffic",
  idempotency_id: id,
  advertiser_id: advertiser,
  marketplace_id: "M1",
  time_window_start: "2026-11-01T08:00:00Z",
});
const CONFIRM = { Type: "SubscriptionConfirmation", SubscribeURL: "https://x" };

interface Written {
  readonly asked: { once: boolean; signal: AbortSignal | undefined }[];
  readonly batches: { source: string; receivedAt: number }[];
  readonly ended: string[];
}

/** Deliveries of a queue that does not accept one acknowledgement each, to a store in which the half of all is known. */
function world(deliveries: readonly (readonly unknown[])[]) {
  const seen: Written = { asked: [], batches: [], ended: [] };
  const source: StreamSource = {
    name: "queue",
    async *deliveries({ signal, once }: { signal?: AbortSignal | undefined; once: boolean }) {
      seen.asked.push({ signal, once });
      for (const [at, bodies] of deliveries.entries()) {
        yield {
          messages: bodies.map((body): StreamMessage => ({ id: "m", body: JSON.stringify(body) })),
          acknowledge: () => {
            seen.ended.push(`acknowledged ${at}`);
            return Promise.resolve(1);
          },
          end: () => {
            seen.ended.push(`ended ${at}`);
          },
        };
        await Promise.resolve();
      }
    },
  } as unknown as StreamSource;
  const store = {
    stream: {
      accounts: () =>
        Promise.resolve([
          { advertiserId: "E1", marketplaceId: "M1", profileId: "7", countryCode: "US", timeZone: "UTC" },
        ]),
      write: (
        batch: { source: string; receivedAt: number; records: { rows: unknown[] }[]; rejected: unknown[] },
      ) => {
        if (batch.rejected.length > 3) return Promise.reject(new Error("disk full"));
        seen.batches.push({ source: batch.source, receivedAt: batch.receivedAt });
        const rows = batch.records.reduce((sum, { rows }) => sum + rows.length, 0);
        return Promise.resolve({ stored: Math.ceil(rows / 2), rejected: batch.rejected.length });
      },
    },
  } as unknown as Warehouse;
  return { source, store, seen };
}

Deno.test("every message is counted as stored, known, set aside or asking for a confirmation", async () => {
  const { source, store, seen } = world([
    [traffic("a"), traffic("b", "E3"), traffic("c", "E2"), 42],
    [traffic("d", "E3"), CONFIRM],
  ]);
  const progress: unknown[] = [];
  let clock = 5;
  const result = await consumeStream(store, source, {
    now: () => clock++,
    onProgress: (one) => progress.push(one),
  });
  const objects = { read: 0, known: 0, unfinished: 0, gone: 0, archived: 0 };
  const first = {
    messages: 4,
    stored: 2,
    duplicates: 1,
    rejected: 1,
    confirmations: 0,
    unacknowledged: 1,
    objects,
  };
  const all = {
    messages: 6,
    stored: 3,
    duplicates: 1,
    rejected: 1,
    confirmations: 1,
    unacknowledged: 2,
    objects,
  };
  deepEqual(progress, [first, all]);
  deepEqual(result, { ...all, unknownAdvertisers: ["E2", "E3"] });
  deepEqual(seen.batches, [{ source: "queue", receivedAt: 5 }, { source: "queue", receivedAt: 6 }]);
  deepEqual(seen.ended, ["acknowledged 0", "ended 0", "acknowledged 1", "ended 1"]);
  deepEqual(seen.asked, [{ once: false, signal: undefined }], "it waits for more");
});

Deno.test("what cannot be stored is not acknowledged, and its messages are given back", async () => {
  const { source, store, seen } = world([[1, 2, 3, 4], [traffic("a")]]);
  await rejects(consumeStream(store, source, { once: true }), /disk full/);
  deepEqual(seen.ended, ["ended 0"]);
  equal(seen.asked[0]?.once, true);
});
