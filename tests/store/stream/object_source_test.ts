import { constants, gunzipSync, gzipSync } from "node:zlib";
import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import { type BucketServer, bucketServer } from "../../support/bucket_server.ts";
import { long } from "../../support/long.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { type ConsumeResult, consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { openBucketSource } from "../../../src/store/stream/bucket_source.ts";
import { folderSource } from "../../../src/store/stream/folder_source.ts";
import type { StreamSource } from "../../../src/store/stream/stream_source.ts";
import type { StreamTables } from "../../../src/store/model/stream_tables.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

const WRITTEN = Date.parse("2026-11-01T00:00:00Z");
const MINUTE = 60_000;

function record(id: number, hour = 8): string {
  return JSON.stringify({
    dataset_id: "sp-traffic",
    idempotency_id: `r${id}`,
    advertiser_id: "E1",
    marketplace_id: "M1",
    time_window_start: `2026-11-01T${String(hour).padStart(2, "0")}:00:00Z`,
    clicks: 1,
    cost: 0.5,
  });
}

function records(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => record(from + at)).join("");
}

/** A place that a delivery stream writes to, and a store. */
interface World extends AsyncDisposable {
  readonly store: Warehouse;
  put(name: string, content: string | Uint8Array, modified?: number): Promise<void>;
  remove(name: string): Promise<void>;
  source(now?: number): Promise<StreamSource>;
  /** Stores what is there, as a new process does. */
  consume(now?: number): Promise<ConsumeResult>;
}

interface Bucket extends World {
  readonly server: BucketServer;
}

async function emptyStore(): Promise<{ store: Warehouse; path: string; dispose(): Promise<void> }> {
  const folder = await temporaryFolder();
  await makeEmptySqlite(folder.file("ads.sqlite"));
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  return {
    store,
    path: folder.path,
    dispose: async () => {
      await store.close();
      await folder.remove();
    },
  };
}

async function inBucket(): Promise<Bucket> {
  const [{ store, dispose }, server] = [await emptyStore(), bucketServer()];
  server.pageSize = 3;
  const source = (now = WRITTEN + 20 * MINUTE) =>
    openBucketSource("s3://hourly/ads", {
      credentials: { accessKeyId: "reader", secretAccessKey: "secret" },
      region: "eu-west-1",
      endpoint: server.origin,
      sleep: () => Promise.resolve(),
      now: () => now,
    });
  return {
    store,
    server,
    put: (name, content) => {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      server.objects.set(`hourly/ads/${name}`, bytes);
      return Promise.resolve();
    },
    remove: (name) => Promise.resolve(void server.objects.delete(`hourly/ads/${name}`)),
    source,
    consume: async (now) => await consumeStream(store, await source(now), { once: true }),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await dispose();
    },
  };
}

async function inFolder(): Promise<World> {
  const { store, path, dispose } = await emptyStore();
  const at = (name: string): string => `${path}/in/${name}`;
  await Deno.mkdir(at(""), { recursive: true });
  const source = (now = WRITTEN + 20 * MINUTE) => folderSource(at(""), { now: () => now });
  return {
    store,
    put: async (name, content, modified = WRITTEN) => {
      await Deno.mkdir(at(name).replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeFile(at(name), new Uint8Array(await new Response(content as BodyInit).arrayBuffer()));
      await Deno.utime(at(name), new Date(modified), new Date(modified));
    },
    remove: (name) => Deno.remove(at(name)),
    source,
    consume: async (now) => await consumeStream(store, await source(now), { once: true }),
    [Symbol.asyncDispose]: dispose,
  };
}

async function stored(store: Warehouse): Promise<readonly [records: number, clicks: number]> {
  const { rows: [row] } = await store.query(
    "SELECT count(*) AS records, coalesce(sum(clicks), 0) AS clicks FROM stream_sp_traffic",
  );
  return [Number(row?.["records"]), Number(row?.["clicks"])];
}

async function remembered(store: Warehouse): Promise<string[]> {
  const { rows } = await store.query("SELECT address FROM stream_objects ORDER BY address");
  return rows.map(({ address }) => String(address).replace(/^.*\/(?:ads|in)\//, ""));
}

const PLACES: readonly (readonly [string, () => Promise<World>])[] = [["a bucket", inBucket], [
  "a folder",
  inFolder,
]];

for (const [where, open] of PLACES) {
  Deno.test(`${where}: packed objects, records without line breaks, duplicates and late hours are stored once`, async () => {
    await using world = await open();
    await world.put("2026/11/01/08/a", records(0, 5));
    await world.put("2026/11/01/08/b.gz", gzipSync(records(3, 8)));
    await world.put("2026/11/01/09/c", `${record(8)}\n${record(9)}\n`);
    // Later in the list, and of an earlier hour.
    await world.put("2026/11/02/00/d", record(10, 2) + record(0));
    await world.put("2026/11/02/00/e", "");
    const { messages, stored: fresh, duplicates, rejected, objects } = await world.consume();
    deepEqual([messages, fresh, duplicates, rejected], [14, 11, 3, 0]);
    deepEqual([objects.unfinished, objects.gone], [0, 0]);
    deepEqual(await stored(world.store), [11, 11]);
    const again = await world.consume();
    deepEqual([again.messages, again.objects.read], [0, 0]);
    ok(again.objects.known >= 4);
  });

  Deno.test(`${where}: an object that is replaced is read again, and only it`, async () => {
    await using world = await open();
    await world.put("a", records(0, 3));
    await world.put("b", records(3, 6));
    await world.consume();
    await world.put("b", records(3, 8), WRITTEN + 1);
    const { messages, stored: fresh, objects } = await world.consume();
    deepEqual([messages, fresh, objects.read, objects.known], [5, 2, 1, 1]);
  });

  Deno.test(`${where}: the end of an object that may still grow waits, and is set aside once it is old`, async () => {
    await using world = await open();
    await world.put("a", `${records(0, 3)}${record(3).slice(0, 40)}`);
    const packed = gzipSync(records(10, 4000));
    await world.put("b.gz", packed.subarray(0, 9000));
    await world.put("c", `[${record(5000)},`);
    const young = await world.consume(WRITTEN + MINUTE);
    deepEqual([young.objects, young.rejected], [
      { read: 0, known: 0, unfinished: 3, gone: 0, archived: 0 },
      0,
    ]);
    const [before] = await stored(world.store);
    ok(before > 3, `${before} records`);
    deepEqual(await remembered(world.store), []);
    const old = await world.consume(WRITTEN + 16 * MINUTE);
    deepEqual([old.rejected, old.objects.read], [2, 3]);
    // Every whole record before the cut.
    const text = gunzipSync(packed.subarray(0, 9000), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    deepEqual(await stored(world.store), Array(2).fill(3 + 1 + text.split("}").length - 1));
    const { rows } = await world.store.query("SELECT message_id, body FROM stream_rejected ORDER BY 1");
    deepEqual(rows.map(({ message_id: id }) => id), ["a:1", "b.gz"]);
    equal((await world.consume(WRITTEN + 16 * MINUTE)).messages, 0);
    // The writer went on after all.
    await world.put("a", records(0, 4), WRITTEN + 2);
    equal((await world.consume(WRITTEN + 16 * MINUTE)).stored, 1);
  });

  Deno.test(`${where}: objects that are deleted are forgotten, those elsewhere are not`, async () => {
    await using world = await open();
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) await world.put(name, record(name.charCodeAt(0)));
    await world.consume();
    for (const name of ["a", "d", "g"]) await world.remove(name);
    const other = { address: "s3://hourly/adsx/a", version: "1" };
    await world.store.stream.write({
      source: "",
      receivedAt: 0,
      records: [],
      rejected: [],
      confirmations: [],
      objects: [other],
    });
    await world.consume();
    const left = await remembered(world.store);
    deepEqual(left.sort(), ["b", "c", "e", "f", other.address].sort());
    deepEqual(await stored(world.store), [7, 7]);
  });

  if (where === "a folder") long();
  Deno.test(`${where}: ended before or after any write and started again, nothing is lost or doubled`, async () => {
    await using whole = await open();
    const fill = async (world: World): Promise<void> => {
      await world.put("1", records(0, 700));
      await world.put("2.gz", gzipSync(records(650, 2400)));
      await world.put("3", records(2400, 2500));
      await world.put("4", records(0, 100) + "no record");
    };
    await fill(whole);
    await whole.consume();
    const want = [await stored(whole.store), await remembered(whole.store)];
    deepEqual(want[0], [2500, 2500]);
    await using world = await open();
    await fill(world);
    let writes = 0;
    for (let stopAt = 1;; stopAt++) {
      // Each process ends at its first write: the odd ones before it, the even ones after it.
      const write: StreamTables["write"] = async (batch) => {
        if (stopAt > 8) return await world.store.stream.write(batch);
        if (stopAt % 2 === 0) await world.store.stream.write(batch);
        throw new Error("killed");
      };
      const { stream } = world.store;
      const tables: StreamTables = {
        write,
        putHours: (hours) => stream.putHours(hours),
        accounts: () => stream.accounts(),
        putAccounts: (accounts) => stream.putAccounts(accounts),
        objects: (addresses) => stream.objects(addresses),
        forgetObjects: (range, there) => stream.forgetObjects(range, there),
        confirmations: () => stream.confirmations(),
        confirm: (url, at) => stream.confirm(url, at),
      };
      const consumed = consumeStream({ stream: tables }, await world.source(), { once: true });
      if (stopAt > 8) {
        await consumed;
        break;
      }
      await consumed.then(() => writes++, (error) => equal(String(error), "Error: killed"));
      const done = await remembered(world.store);
      const { rows } = await world.store.query("SELECT id FROM stream_sp_traffic");
      const ids = new Set(rows.map(({ id }) => id));
      // An object is remembered only with its last record.
      if (done.includes("1")) ok(ids.has("r699"));
      if (done.includes("2.gz")) ok(ids.has("r2399"));
    }
    deepEqual([await stored(world.store), await remembered(world.store)], want);
    const { rows } = await world.store.query("SELECT reason FROM stream_rejected");
    equal(rows.length, 1);
    equal((await world.consume()).messages, 0);
  });
}

Deno.test("an object that is deleted or replaced between the list and its content is counted, and stops no other", async () => {
  await using world = await inBucket();
  for (const name of ["a", "b", "c"]) await world.put(name, record(name.charCodeAt(0)));
  world.server.beforeRead = (key) => {
    if (key === "hourly/ads/a") void world.remove("a");
    if (key === "hourly/ads/b") void world.put("b", record(5000));
  };
  const { objects, stored: fresh } = await world.consume();
  deepEqual([objects, fresh], [{ read: 1, known: 0, unfinished: 1, gone: 1, archived: 0 }, 1]);
  world.server.beforeRead = undefined;
  deepEqual((await world.consume()).objects, { read: 1, known: 1, unfinished: 0, gone: 0, archived: 0 });
  deepEqual(await stored(world.store), [2, 2]);
});

Deno.test("an object is read from its beginning when the connection breaks, packed or not, and stored once", async () => {
  await using world = await inBucket();
  await world.put("a.gz", gzipSync(records(0, 3000)));
  await world.put("b", records(3000, 6000));
  for (const cut of [5000, 1]) {
    world.server.cutAfter = cut;
    const result = await world.consume();
    equal(result.rejected, 0);
  }
  world.server.cutAfter = 400_000;
  await world.put("b", records(3000, 7000));
  await world.consume();
  deepEqual(await stored(world.store), [7000, 7000]);
});

Deno.test("a bucket that refuses says why, and its secret is in no message", async () => {
  await using world = await inBucket();
  await world.put("a", record(1));
  world.server.fault = { status: 403, times: 1 };
  await rejects(world.consume(), /^ConfigurationError: Cannot use s3:\/\/hourly\/ads: SlowDown/);
  world.server.fault = { status: 503, times: 3 };
  equal((await world.consume()).stored, 1);
  await rejects(openBucketSource("s3://hourly"), /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set/);
  await rejects(openBucketSource("gs://hourly"), /expected the path of a folder, or s3:\/\/BUCKET\/PREFIX/);
});

Deno.test("a source that follows looks again every minute until it is stopped", async () => {
  await using world = await inFolder();
  await world.put("a", record(1));
  const [stop, waits] = [new AbortController(), [] as number[]];
  const options = {
    follow: true,
    sleep: async (seconds: number) => {
      waits.push(seconds);
      if (waits.length === 2) stop.abort();
      else await world.put("b", record(2));
    },
  };
  const path = (await world.source()).name;
  const result = await consumeStream(world.store, await folderSource(path, options), { signal: stop.signal });
  deepEqual([result.stored, result.objects.read, waits], [2, 2, [60, 60]]);
});

Deno.test("an object in an archive is passed over, counted, and read once it is restored", async () => {
  await using world = await inBucket();
  await world.put("2026/11/01/a", records(0, 5));
  await world.put("2026/11/01/b", records(5, 9));
  await world.put("2026/11/01/c", records(9, 10));
  world.server.archived.add("hourly/ads/2026/11/01/b");
  const counts = { known: 0, unfinished: 0, gone: 0 };
  deepEqual((await world.consume()).objects, { ...counts, read: 2, archived: 1 });
  deepEqual(await stored(world.store), [6, 6]);
  deepEqual((await world.consume()).objects, { ...counts, read: 0, known: 2, archived: 1 });
  world.server.archived.clear();
  deepEqual((await world.consume()).objects, { ...counts, read: 1, known: 2, archived: 0 });
  deepEqual(await stored(world.store), [10, 10]);
});
