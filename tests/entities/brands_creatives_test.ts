import type { NewSbAd } from "../../src/client/entities/model/sb_ads.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { decodedWrites, encodeItems } from "../../src/client/entities/resource/encode_items.ts";
import { wireOf } from "../../src/client/entities/wire/wire_of.ts";
import { partOf } from "../../src/plans/state/sent_record.ts";
import { onBothWires } from "../support/on_both_wires.ts";
import { emulated } from "../support/emulated.ts";

const ASINS = ["B0DVQWC048", "B0YFTH13D2", "B060H4DGK9"];

Deno.test("a new ad of no stated format is made at the address that has not ended", async () => {
  await using world = await emulated();
  const [adGroup] = await world.us.sb.adGroups.list({ states: ["ENABLED"] });
  world.asked();
  const result = await world.us.sb.ads.create([{
    adGroupId: adGroup!.adGroupId,
    name: "Three tents",
    state: "PAUSED",
    creative: {
      brandName: "Fernpfad",
      headline: "Sleep outside",
      asins: ASINS,
      customImageAssetId: "asset-1",
    },
    landingPage: { pageType: "PRODUCT_LIST", asins: ASINS },
  }]);
  result.raiseForErrors();
  deepEqual(world.asked(), ["POST /sb/v4/ads/productCollectionExtended"]);
  const ad = await world.us.sb.ads.get(result.ids[0]!);
  deepEqual(ad?.creative?.customImages, [{ assetId: "asset-1" }]);
});

Deno.test("an image under its older name replaces the one before, and beside other images it is refused, not lost", async () => {
  await using world = await emulated();
  const [adGroup] = await world.us.sb.adGroups.list({ states: ["ENABLED"] });
  const draft = (creative: Record<string, unknown>): NewSbAd => ({
    adGroupId: adGroup!.adGroupId,
    name: `Tents ${JSON.stringify(creative).length}`,
    state: "PAUSED",
    creative: {
      brandName: "Fernpfad",
      brandLogoAssetID: "asset.logo:version_v1",
      headline: "Sleep outside",
      asins: ASINS,
      ...creative,
    },
    landingPage: { pageType: "PRODUCT_LIST", asins: ASINS },
  });
  world.asked();
  const other = { customImages: [{ assetId: "asset-1" }], customImageAssetId: "asset-2" };
  await rejects(world.us.sb.ads.create([draft(other)]), { message: /beside other customImages/ });
  await rejects(world.us.sb.ads.planCreate([draft({ customImageCrop: { top: 1 } })]), {
    message: /customImageCrop without customImageAssetId/,
  });
  deepEqual(world.asked().filter((line) => line.includes("/sb/v4/ads/")), [], "nothing was sent");

  const twice = { customImages: [{ assetId: "asset-1" }], customImageAssetId: "asset-1" };
  const [one] = (await world.us.sb.ads.create([draft(twice)])).ids;
  (await world.us.sb.ads.update([{ adId: one!, creative: { customImageAssetId: "asset-2" } }]))
    .raiseForErrors();
  const imagesOf = async (adId: string) => (await world.us.sb.ads.get(adId))?.creative?.customImages;
  deepEqual(await imagesOf(one!), [{ assetId: "asset-2" }]);

  const images = [{ assetId: "asset-1" }, { assetId: "asset-2" }];
  const [many] = (await world.us.sb.ads.create([draft({ customImages: images })])).ids;
  const { errors } = await world.us.sb.ads.update([{
    adId: many!,
    creative: { customImageAssetId: "asset-3" },
  }]);
  match(errors[0]!.message, /it shows 2\. Give every image in customImages/);
  equal(errors[0]!.outcome, "not_sent");
  deepEqual(await imagesOf(many!), images);
});

Deno.test("an update of the creative is a new version that takes over what it does not name", async () => {
  await using world = await emulated();
  const ads = await world.us.sb.ads.list({ states: ["ENABLED"] });
  const byType = new Map(ads.map((ad) => [ad.creative?.type, ad]));
  for (const type of ["PRODUCT_COLLECTION", "STORE_SPOTLIGHT"]) {
    const { adId, creative } = byType.get(type)!;
    world.asked();
    const result = await world.us.sb.ads.update([{
      adId,
      name: "Renamed",
      creative: { headline: "Sleep well" },
    }]);
    result.raiseForErrors();
    deepEqual(result.ids, [adId]);
    deepEqual(result.ignored, []);
    const now = await world.us.sb.ads.get(adId);
    equal(now?.name, "Renamed");
    equal(now?.creative?.headline, "Sleep well");
    equal(now?.creative?.creativeVersion, "2");
    deepEqual([now?.creative?.asins, now?.creative?.subpages], [creative?.asins, creative?.subpages]);
  }
  const { adId, creative } = byType.get("VIDEO")!;
  (await world.us.sb.ads.update([{ adId, creative: { videoAssetIds: ["asset-7"] } }])).raiseForErrors();
  const now = await world.us.sb.ads.get(adId);
  deepEqual([now?.creative?.videoAssetIds, now?.creative?.asins], [["asset-7"], creative?.asins]);
});

Deno.test("a creative that the ad shows already is not sent", async () => {
  await using world = await emulated();
  const [ad] = await world.us.sb.ads.list({ states: ["ENABLED"] });
  world.asked();
  const result = await world.us.sb.ads.update([{ adId: ad!.adId, creative: ad!.creative! }]);
  equal(result.ok, true);
  ok(world.asked().every((path) => path.endsWith("/list")));
});

Deno.test("what a creative of that type cannot hold is refused for that ad alone, and says what it can", async () => {
  await using world = await emulated();
  const ads = await world.us.sb.ads.list({ states: ["ENABLED"] });
  const shop = ads.find(({ creative }) => creative?.type === "STORE_SPOTLIGHT")!;
  const list = ads.find(({ creative }) => creative?.type === "PRODUCT_COLLECTION")!;
  const result = await world.us.sb.ads.update([
    { adId: shop.adId, creative: { videoAssetIds: ["asset-7"] } },
    { adId: list.adId, creative: { asins: ASINS } },
    { adId: "999", creative: { headline: "Nobody" } },
    { adId: shop.adId, name: "Kept", creative: { headline: "x".repeat(60), videoAssetIds: ["a"] } },
  ]);
  deepEqual(result.successes.map(({ index }) => index), [1]);
  deepEqual(result.errors.map(({ index, outcome }) => [index, outcome]), [
    [0, "not_sent"],
    [2, "not_sent"],
    [3, "partial"],
  ]);
  match(
    result.errors[0]!.message,
    /Cannot change videoAssetIds of ad \d+: a creative of type "STORE_SPOTLIGHT" holds /,
  );
  equal((await world.us.sb.ads.get(shop.adId))?.name, "Kept");
  deepEqual((await world.us.sb.ads.get(list.adId))?.creative?.asins, ASINS);
});

Deno.test("a change of a creative is planned, applied and undone", async () => {
  await using world = await emulated();
  const ads = await world.us.sb.ads.list({ states: ["ENABLED"] });
  const { adId, creative } = ads.find((ad) => ad.creative?.type === "PRODUCT_COLLECTION")!;
  const plan = await world.us.sb.ads.planUpdate([{
    adId,
    creative: { headline: "Sleep well", asins: ASINS },
  }]);
  deepEqual([plan.changes.length, plan.warnings], [1, []]);
  const result = await plan.apply(world.us, { checkDrift: true });
  result.raiseForErrors();
  equal((await world.us.sb.ads.get(adId))?.creative?.headline, "Sleep well");
  (await result.rollbackPlan().apply(world.us, { checkDrift: true })).raiseForErrors();
  const now = (await world.us.sb.ads.get(adId))?.creative;
  deepEqual([now?.headline, now?.asins, now?.creativeVersion], [creative?.headline, creative?.asins, "3"]);
});

Deno.test("a lost connection leaves one creative unknown, and those after it unsent", async () => {
  await using world = await emulated();
  const ads = await world.us.sb.ads.list({ states: ["ENABLED"] });
  const lists = ads.filter(({ creative }) => creative?.type === "PRODUCT_COLLECTION").slice(0, 3);
  equal(lists.length, 3);
  world.emulator.setFaults([{
    match: { path: "/sb/ads/creatives/productCollectionExtended" },
    times: 1,
    effects: { drop: "after" },
  }]);
  const result = await world.us.sb.ads.update(
    lists.map(({ adId }) => ({ adId, creative: { headline: "Sleep well" } })),
  );
  deepEqual(result.errors.map(({ outcome }) => outcome), ["unknown", "not_sent", "not_sent"]);
});

onBothWires("the body of an ad is read back whole: its format, creative and page", async (options, wire) => {
  await using world = await emulated({ ...options, checkRequests: false });
  const { ads, adGroups } = world.us.sb;
  const [adGroup] = await adGroups.list({ states: ["ENABLED"] });
  const draft = {
    adGroupId: adGroup!.adGroupId,
    name: "Three tents",
    state: "PAUSED",
    adFormat: "manualCollection",
    creative: { brandName: "Fernpfad", brandLogoAssetID: "asset.logo:v1", asins: ASINS, title: "Tents" },
    landingPage: { pageType: "STORE", url: "https://www.example.com/stores/page/1" },
  };
  const getMany = () => Promise.resolve(new Map());
  deepEqual((await ads.encode("create", [draft], { getMany }))[0]?.differences, []);
  const spec = { ...ads.spec };
  const own = await wireOf(spec, world.us).load();
  const reads = async (item: Record<string, unknown>) =>
    (await decodedWrites({ spec, wire: own, scope: world.us, op: "create" }, [item]))[0];
  const { adFormat: _, ...shown } = draft;
  deepEqual(partOf(await reads(draft), shown), shown);
  if (wire === "legacy") equal((await reads(draft))?.["adFormat"], "manualCollection");

  const collection = (await ads.list()).find(({ creative }) => creative?.type === "PRODUCT_COLLECTION");
  const adId = collection?.adId ?? "";
  const update = { adId, name: "Other", creative: { headline: "Sleep inside" } };
  deepEqual((await ads.encode("update", [update], { getMany }))[0]?.differences, []);
  const altered = (item: Record<string, unknown>) => ({ ...item, creative: { headline: "Sleep elsewhere" } });
  const wireThatAlters = {
    ...own,
    update: (...[to, items, send]: Parameters<typeof own.update>) => own.update(to, items.map(altered), send),
  };
  const parts = {
    spec,
    wire: wireThatAlters,
    wireName: wire,
    scope: world.us,
    op: "update",
    getMany,
  } as const;
  const [other] = await encodeItems([update], parts);
  const differences = other?.differences.join() ?? "";
  match(differences, /creative is sent as .*Sleep elsewhere.*, not as .*Sleep inside/);
});
