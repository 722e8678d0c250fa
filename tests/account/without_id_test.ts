import { temporaryFolder } from "../support/temporary_folder.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

/** A client whose platform gives neither id nor name for the first `count` Brands ads that it lists. */
async function olderAds({ emulator, time }: Emulated, count: number): Promise<ProfileClient> {
  let left = count;
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    sleep: time.sleep,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!input.endsWith("/sb/v4/ads/list")) return response;
      const body = await response.json();
      left = count;
      for (const ad of body.ads) {
        if (left-- <= 0) break;
        delete ad.adId;
        delete ad.name;
      }
      return Response.json(body, { headers: { "content-type": response.headers.get("content-type")! } });
    },
  });
  return await ads.profile("CA");
}

Deno.test("Brands ads without an id are listed and counted, and none is found by an id", async () => {
  await using world = await emulated();
  const whole = await (await world.ads.profile("CA")).sb.ads.list();
  const ca = await olderAds(world, 2);
  const ads = await ca.sb.ads.list();
  equal(ads.length, whole.length);
  deepEqual(ads.slice(0, 2).map(({ adId }) => adId), [undefined, undefined]);
  deepEqual([...(await ca.sb.ads.getMany([whole[0]!.adId])).keys()], []);
});

Deno.test("account files show ads without an id, and changes beside them are planned without touching them", async () => {
  await using world = await emulated();
  const ca = await olderAds(world, 2);
  const files = await pullAccount(ca);
  const all = [...files.texts.values(), JSON.stringify(files.lock)].join("\n");
  equal(/undefined|"": /.test(all), false);
  equal(all.match(/# In ads, without an id, so that nothing changes it: \{ .*creative/g)?.length, 2);
  ok((await diffAccount(ca, files)).isEmpty, "nothing differs");
  const path = [...files.texts.keys()].find((path) => files.texts.get(path)!.includes("without an id"))!;
  const texts = new Map(files.texts).set(
    path,
    files.texts.get(path)!.replace(/^state: .*/m, "state: PAUSED"),
  );
  const changed = await diffAccount(ca, AccountFiles.fromTexts(texts, { lock: files.lock }));
  deepEqual([changed.creates, changed.extras, changed.refusals], [[], [], []]);
  deepEqual(changed.updates.map(({ kind }) => kind), ["sb.campaigns"]);
});

Deno.test("a store leaves out ads without an id and says how many", async () => {
  await using world = await emulated();
  const ca = await olderAds(world, 2);
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  const warnings: string[] = [];
  try {
    const { entities } = await store.sync([ca], {
      entities: "only",
      onWarning: (text) => warnings.push(text),
    });
    ok(
      entities.every(({ state }) => state === "stored"),
      JSON.stringify(entities.map(({ error }) => error?.message)),
    );
    deepEqual(warnings, [
      `CA ${ca.profileId}: the platform gives no adId for 2 Brands ads, which are not stored`,
    ]);
    const { rows } = await store.query("SELECT count(*) AS n FROM entities WHERE id = 'undefined'");
    equal(Number(rows[0]!["n"]), 0);
  } finally {
    await store.close();
  }
});
