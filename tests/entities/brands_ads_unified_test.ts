import fc from "fast-check";
import { compareWires } from "../../mod.ts";
import { COMPONENT } from "../../src/client/entities/wire/unified/sb_ads_unified.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { twoWires, writes } from "./two_wires.ts";

const PLACE = { countryCode: "US", timeZone: "UTC", today: "2026-09-30", now: 0 };
const ASINS = ["B0DVQWC048", "B0YFTH13D2", "B060H4DGK9"];
const LOGO = "asset.logo:version_v1";
const WORDS = { brandName: "Fernpfad", headline: "Out there", brandLogoAssetID: LOGO };
const STORE = { pageType: "STORE", url: "https://shop.example/stores/1" };

/** An ad of each format, with everything that both wires hold of it. */
const ADS: readonly Record<string, unknown>[] = [
  {
    adFormat: "productCollectionExtended",
    creative: {
      ...WORDS,
      asins: ASINS,
      brandLogoCrop: { left: 1, top: 2, width: 300, height: 200 },
      customImages: [{
        assetId: "asset.image:version_v2",
        crop: { left: 0, top: 0, width: 1200, height: 628 },
      }],
      consentToTranslate: true,
      creativePropertiesToOptimize: ["HEADLINE"],
    },
    landingPage: { pageType: "PRODUCT_LIST", asins: ASINS },
  },
  {
    adFormat: "storeSpotlight",
    creative: {
      ...WORDS,
      subpages: ASINS.map((asin, at) => ({ asin, pageTitle: `Page ${at}`, url: `${STORE.url}/${at}` })),
    },
    landingPage: STORE,
  },
  { adFormat: "video", creative: { asins: [ASINS[0]], videoAssetIds: ["asset.film:version_v1"] } },
  {
    adFormat: "brandVideo",
    creative: { ...WORDS, asins: ASINS, videoAssetIds: ["asset.film:version_v1"] },
    landingPage: STORE,
  },
  {
    adFormat: "manualCollection",
    creative: { brandName: "Fernpfad", brandLogoAssetID: LOGO, asins: ASINS },
    landingPage: STORE,
  },
];

Deno.test("Brands ads of every format are made on one wire and read the same on the other", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  const [group] = await older.sb.adGroups.list({ states: ["ENABLED"] });
  for (const maker of [newer, older]) {
    for (const { adFormat, ...ad } of ADS) {
      const name = `${adFormat} ${maker === newer}`;
      const result = await maker.resource("sb.ads" as string).create([
        { ...ad, adFormat, name, state: "PAUSED", adGroupId: group!.adGroupId },
      ]);
      result.raiseForErrors();
      const [read, other] = [await older.sb.ads.get(result.ids[0]!), await newer.sb.ads.get(result.ids[0]!)];
      const shown = (found: typeof read) => {
        const { creative, landingPage, state } = older.sb.ads.comparable({ ...found });
        return { creative, landingPage, state };
      };
      deepEqual(shown(other), shown(read), name);
      deepEqual(
        { ...shown(other).creative as object, ...ad["creative"] as object },
        shown(other).creative,
        name,
      );
    }
  }
  for await (const { differences, legacy } of compareWires(older, { kinds: ["sb.ads"] })) {
    ok(legacy > 10);
    deepEqual(differences, []);
  }
});

Deno.test("an update of a creative holds all of it, with its name in the same request", async () => {
  await using wires = await twoWires();
  const { newer, older, world } = wires;
  const ads = await older.sb.ads.list({ states: ["ENABLED"] });
  const collection = ads.find(({ creative }) => creative?.type === "PRODUCT_COLLECTION")!;
  const film = ads.find(({ creative }) => creative?.type === "VIDEO")!;
  world.asked();
  const result = await newer.resource("sb.ads" as string).update([
    { adId: collection.adId, name: "Renamed", creative: { headline: "New words" } },
    { adId: "404", creative: { headline: "x" } },
    { adId: film.adId, creative: { videoAssetIds: ["asset.film"] } },
    { adId: film.adId, creative: { videoAssetIds: film.creative!.videoAssetIds } },
  ]);
  deepEqual(writes(world), ["POST /adsApi/v1/update/ads"]);
  deepEqual(result.ids, [collection.adId, film.adId], "what it shows already is done, and not sent");
  deepEqual(result.errors.map(({ index, code, outcome }) => [index, code, outcome]), [
    [1, "NOT_FOUND", "not_sent"],
    [2, "NOT_ON_WIRE", "not_sent"],
  ]);
  const now = await older.sb.ads.get(collection.adId);
  const { creative, landingPage } = collection;
  deepEqual(
    [now!.name, now!.landingPage, older.sb.ads.comparable({ ...now })["creative"]],
    [
      "Renamed",
      landingPage,
      older.sb.ads.comparable({ creative: { ...creative, headline: "New words" } })["creative"],
    ],
  );
  equal(now!.creative!.creativeVersion, "2", "a version, as on the older wire");
  const plan = await newer.sb.ads.planUpdate([{
    adId: collection.adId,
    creative: { headline: "Once more" },
  }]);
  const applied = await plan.apply(older, { checkDrift: true });
  applied.raiseForErrors();
  (await applied.rollbackPlan().apply(newer, { checkDrift: true })).raiseForErrors();
  equal((await older.sb.ads.get(collection.adId))!.creative!.headline, "New words");
});

Deno.test("what the unified family cannot express of Brands ads is a finding of the plan, and is never sent", async () => {
  await using wires = await twoWires();
  const { newer, older, world } = wires;
  const [group] = await older.sb.adGroups.list({ states: ["ENABLED"] });
  const [shown] = await older.sb.ads.list({ states: ["ENABLED"] });
  const [collection, spotlight, video, brandVideo, manual] = ADS as readonly [
    Record<string, unknown>,
    ...Record<string, unknown>[],
  ];
  const change = (ad: Record<string, unknown> | undefined, parts: Record<string, unknown>) => ({
    ...ad,
    creative: { ...ad!["creative"] as object, ...parts },
  });
  const cases: [Record<string, unknown>, RegExp][] = [
    [change(collection, { customImages: undefined }), /needs customImages for the format productCollection/],
    [change(collection, { brandLogoAssetID: "asset.logo" }), /needs the version of the asset "asset\.logo"/],
    [{ ...collection, landingPage: { pageType: "DETAIL_PAGE" } }, /no word for landingPage\.pageType/],
    [{ ...spotlight, landingPage: { pageType: "PRODUCT_LIST" } }, /no word for landingPage\.pageType/],
    [change(video, { headline: "x" }), /no field for headline/],
    [change(brandVideo, { brandName: undefined }), /needs brandName for the format brandVideo/],
    [
      { ...manual, landingPage: { pageType: "PRODUCT_LIST", asins: ASINS } },
      /no field for landingPage\.asins/,
    ],
    [change(manual, { headline: "x" }), /no field for headline/],
    [
      { adFormat: "autoCollection", creative: { brandName: "x" }, landingPage: STORE },
      /no field for landingPage/,
    ],
  ];
  world.asked();
  const ads = newer.resource("sb.ads" as string);
  for (const [ad, message] of cases) {
    const item = JSON.parse(
      JSON.stringify({ ...ad, name: "n", state: "PAUSED", adGroupId: group!.adGroupId }),
    );
    const { errors } = await ads.create([item]);
    deepEqual(
      errors.map(({ code, outcome }) => [code, outcome]),
      [["NOT_ON_WIRE", "not_sent"]],
      message.source,
    );
    match(errors[0]!.message, message);
    const { findings } = await ads.planCreate([item]);
    ok(findings.some(({ refused }) => refused), message.source);
    // Some is refused on the older wire too, which is said first.
    for (const finding of findings.filter(({ code }) => code === "NOT_ON_WIRE")) {
      match(finding.message, message);
    }
  }
  const { findings } = await ads.planUpdate([
    { adId: shown!.adId, creative: { brandLogoAssetID: "asset.other" } },
  ]);
  match(findings.map((one) => one.message).join("\n"), /needs the version of the asset "asset\.other"/);
  deepEqual(writes(world), []);
});

const TEXT = fc.string({ minLength: 1, maxLength: 20 });
const ASSET = fc.tuple(fc.stringMatching(/^[a-z.:]{1,9}$/), fc.stringMatching(/^v[0-9]{1,3}$/)).map((parts) =>
  parts.join(":")
);
const CROP = fc.record({ left: fc.nat(), top: fc.nat(), width: fc.nat(), height: fc.nat() });

Deno.test("every product collection reads back as it was", () => {
  const creative = fc.record({
    brandName: TEXT,
    headline: TEXT,
    brandLogoAssetID: ASSET,
    brandLogoCrop: CROP,
    asins: fc.array(TEXT, { maxLength: 3 }),
    customImages: fc.array(fc.record({ assetId: ASSET, crop: CROP }, { requiredKeys: ["assetId"] }), {
      minLength: 1,
      maxLength: 5,
    }),
    consentToTranslate: fc.boolean(),
  }, { requiredKeys: ["brandName", "headline", "brandLogoAssetID", "customImages"] });
  const landingPage = fc.record({
    pageType: fc.constantFrom("PRODUCT_LIST", "STORE", "CUSTOM_URL"),
    url: TEXT,
  }, {
    requiredKeys: ["pageType"],
  });
  fc.assert(fc.property(creative, landingPage, (creative, landingPage) => {
    const there = COMPONENT.toWire({ creative, landingPage }, PLACE, "create");
    deepEqual(COMPONENT.toOwn(JSON.parse(JSON.stringify(there)), PLACE), {
      creative: { ...JSON.parse(JSON.stringify(creative)), type: "PRODUCT_COLLECTION" },
      landingPage: JSON.parse(JSON.stringify(landingPage)),
    });
  }));
});

Deno.test("a format that came later reads as OTHER", () => {
  const settings = { brandGallerySettings: { brand: "Fernpfad" } };
  deepEqual(COMPONENT.toOwn(settings, PLACE), { creative: { type: "OTHER" } });
});
