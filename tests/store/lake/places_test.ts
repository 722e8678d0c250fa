import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { type BucketServer, bucketServer } from "../../support/bucket_server.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import type { LakePlace, ReadyFile } from "../../../src/store/lake/lake_place.ts";
import { openLake } from "../../../src/store/lake/open_lake.ts";

const CREDENTIALS = { accessKeyId: "reader", secretAccessKey: "secret" };

interface Place extends AsyncDisposable {
  readonly place: LakePlace;
  readonly folder: string;
}

async function inFolder(): Promise<Place> {
  const folder = await temporaryFolder();
  return {
    place: await openLake(`${folder.path}/lake`),
    folder: folder.path,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function inBucket(server: BucketServer, address = "s3://figures/ads/lake"): Promise<LakePlace> {
  return openLake(address, {
    credentials: CREDENTIALS,
    region: "eu-west-1",
    endpoint: server.origin,
    sleep: () => Promise.resolve(),
  });
}

async function bucketOfItsOwn(): Promise<Place> {
  const [folder, server] = [await temporaryFolder(), bucketServer()];
  server.pageSize = 2;
  return {
    place: await inBucket(server),
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function ready({ folder }: Place, text: string): Promise<ReadyFile> {
  const path = `${folder}/${crypto.randomUUID()}`;
  await Deno.writeTextFile(path, text);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { path, bytes: text.length, sha256: new Uint8Array(digest).toHex() };
}

for (const [where, open] of [["a folder", inFolder], ["a bucket", bucketOfItsOwn]] as const) {
  Deno.test(`${where}: a text is replaced only while it is the version that was read`, async () => {
    await using world = await open();
    const { place } = world;
    equal(await place.readText("manifest.json"), undefined);
    equal(await place.replaceText("manifest.json", "one", undefined), true);
    equal(await place.replaceText("manifest.json", "other", undefined), false);
    const one = await place.readText("manifest.json");
    equal(await place.replaceText("manifest.json", "two", one?.version), true);
    equal(await place.replaceText("manifest.json", "late", one?.version), false);
    equal((await place.readText("manifest.json"))?.text, "two");
  });

  Deno.test(`${where}: a removed text is not made again on the condition of its version`, async () => {
    await using world = await open();
    const { place } = world;
    await place.writeText("manifest.json", "one");
    const one = await place.readText("manifest.json");
    await place.remove(["manifest.json", "never/there"]);
    equal(await place.replaceText("manifest.json", "two", one?.version), false);
    equal(await place.readText("manifest.json"), undefined);
  });

  Deno.test(`${where}: files are put, measured, listed to the last page and removed`, async () => {
    await using world = await open();
    const { place } = world;
    const paths = ["a/country_code=US/month=2026-09/1.parquet", "a/b c&d.txt", "e.txt", "f.txt", "g.txt"];
    const file = await ready(world, "rows");
    const { sha256 } = file;
    await place.put(paths[0]!, file);
    for (const path of paths.slice(1)) await place.writeText(path, "text");
    deepEqual(await place.measure(paths[0]!), { bytes: 4, sha256 });
    equal(await place.measure("nothing"), undefined);
    deepEqual((await Array.fromAsync(place.list())).sort(), [...paths].sort());
    await place.remove(paths.slice(1));
    deepEqual(await Array.fromAsync(place.list()), [paths[0]]);
  });
}

Deno.test("a bucket that is busy is asked again, and one that refuses says why in its own words", async () => {
  await using server = bucketServer();
  const place = await inBucket(server);
  server.fault = { status: 503, times: 3 };
  await place.writeText("a.txt", "text");
  equal((await place.readText("a.txt"))?.text, "text");
  equal(server.requests.filter((line) => line.startsWith("PUT")).length, 4);
  server.fault = { status: 403, times: 1 };
  await rejects(
    place.readText("a.txt"),
    /^ConfigurationError: Cannot use s3:\/\/figures\/ads\/lake: SlowDown: Please/,
  );
  server.fault = { status: 500, times: 100 };
  await rejects(place.readText("a.txt"), /^StoreError: Cannot reach s3:\/\/figures\/ads\/lake: SlowDown/);
});

Deno.test("a text whose answer was lost counts as written by another, so that the writer looks again", async () => {
  await using server = bucketServer();
  const place = await inBucket(server);
  server.fault = { status: 500, after: true, times: 1 };
  equal(await place.replaceText("manifest.json", "one", undefined), false);
  equal((await place.readText("manifest.json"))?.text, "one");
});

for (
  const [address, reason] of [
    ["", /its path is empty/],
    ["gs://figures", /expected the path of a folder, or s3:\/\/BUCKET\/PREFIX/],
    ["s3://No_Bucket/x", /expected the path of a folder/],
    ["s3://figures", /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set/],
  ] as const
) {
  Deno.test(`a lake at "${address}" is refused before anything is sent`, async () => {
    await rejects(openLake(address), reason);
  });
}
