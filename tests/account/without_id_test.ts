import { temporaryFolder } from "../support/temporary_folder.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { AccountFiles, diffAccount, pullAccount, pullSheet } from "../../src/account/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { PlatformAds, type ProfileClient, RESOURCE_KINDS } from "../../mod.ts";
import { readMovables } from "../../src/automation/schedules/scheduled_entities.ts";
import { WithoutOptionalIds } from "../support/optional_ids.ts";
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
  equal(all.match(/# In ads, but without an id, so it cannot be changed: \{ .*creative/g)?.length, 2);
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
      `CA ${ca.profileId}: the platform returns no adId for 2 Brands ads, so they are not stored`,
    ]);
    const { rows } = await store.query("SELECT count(*) AS n FROM entities WHERE id = 'undefined'");
    equal(Number(rows[0]!["n"]), 0);
  } finally {
    await store.close();
  }
});

/** Kinds of which one entity lacks its own id, as published for each wire. */
const LACKING = {
  legacy: [
    "sb.ads",
    "sb.keywords",
    "sb.targets",
    "sb.negative_keywords",
    "sb.negative_targets",
    "sd.campaigns",
    "sd.ad_groups",
    "sd.product_ads",
    "sd.targets",
    "sd.negative_targets",
  ],
  unified: [],
} as const;

for (const wire of ["legacy", "unified"] as const) {
  Deno.test(`entities without the ids that the ${wire} descriptions leave optional are read, counted and never planned`, async () => {
    const platform = new WithoutOptionalIds();
    await using world = await emulated({ client: { fetch: platform.fetch, wire } });
    const { us } = world;
    const whole = await new PlatformAds(world.emulator.credentials, { platform: world.emulator.platform })
      .profile("US");

    const lacking: string[] = [];
    for (const kind of RESOURCE_KINDS) {
      const found = await us.resource(kind).list();
      equal(found.length, (await whole.resource(kind).list()).length, kind);
      const { idField } = us.resource(kind);
      if (found.some((entity) => !(idField in entity))) lacking.push(kind);
    }
    deepEqual(lacking, LACKING[wire]);
    ok([...platform.optional.values()].flat().includes("adGroupId"), "parents are left out as well");

    // Files of a whole account name entities that are there without an id: none of them is created anew.
    const diff = await diffAccount(us, await pullAccount(whole));
    deepEqual([diff.creates, diff.updates, diff.extras], [[], [], []]);
    ok(diff.refusals.length >= 6, `${diff.refusals.length} refusals`);
    for (const { message } of diff.refusals) {
      match(
        message,
        /^is in the account without an id, so nothing can be planned for it\. Remove it from the file/,
      );
    }

    const warnings: string[] = [];
    const files = await pullAccount(us, { onWarning: (text) => warnings.push(text) });
    ok(
      warnings.some((text) =>
        /^Left out of the files: \d+ .*keywords?, because the platform returns no adGroupId$/.test(text)
      ),
      warnings.join("\n"),
    );
    const all = [...files.texts.values(), JSON.stringify(files.lock)].join("\n");
    equal(/undefined|"": /.exec(all), null);
    ok((await diffAccount(us, files)).isEmpty, "nothing differs");

    const lines = new TextDecoder().decode(
      (await pullSheet(us, { format: "csv", products: ["Sponsored Products"] })).bytes,
    );
    equal(lines.includes("undefined"), false);
    await using folder = await temporaryFolder();
    await using store = await Warehouse.open(folder.file("ads.sqlite"));
    const missing: string[] = [];
    const { entities } = await store.sync([us], {
      entities: "only",
      onWarning: (text) => missing.push(text),
    });
    ok(entities.every(({ state }) => state === "stored"));
    equal(
      missing.filter((text) => /returns no \w+Id for 1 .*, so they are not stored$/.test(text)).length,
      lacking.length,
    );
    const stored = await store.query("SELECT * FROM entities", [], { maxRows: 100_000 });
    equal(/"(undefined|null)"/.exec(JSON.stringify(stored.rows)), null);

    const movables = await readMovables(us, [{
      name: "all",
      move: "bid",
      grid: [],
      select: { products: ["sp", "sb"] },
    }]);
    ok(movables.length > 100 && movables.every(({ id }) => /^\d+$/.test(id)));
  });
}
