import assert from "node:assert/strict";
import { Clock } from "../../src/emulator/core/clock.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { checkKeywordText } from "../../src/emulator/core/keyword_text.ts";
import { bidRange } from "../../src/emulator/core/marketplaces.ts";
import { demoAccount } from "../../src/emulator/families/demo_account.ts";
import { EmulatorState } from "../../src/emulator/state/emulator_state.ts";

const KINDS = [
  "sb.campaigns",
  "sb.ad_groups",
  "sb.ads",
  "sb.keywords",
  "sb.targets",
  "sb.negative_keywords",
  "sb.negative_targets",
];

function profilesOf(seed: string) {
  return new EmulatorState({
    seed,
    clock: new Clock({ now: "2026-09-30T12:00:00Z", frozen: true }),
    demo: demoAccount(),
  }).profiles();
}

Deno.test("the Brands part of the demo account follows from the seed alone", () => {
  const contents = (seed: string) =>
    profilesOf(seed).map((profile) => KINDS.map((kind) => profile.collection(kind).all()));
  assert.deepEqual(contents("demo"), contents("demo"));
  assert.notDeepEqual(contents("demo"), contents("other"));
});

Deno.test("Brands entities of the demo account belong together and keep the platform's rules", () => {
  const filled = profilesOf("demo").filter((profile) => profile.collection("sb.campaigns").size > 0);
  assert.ok(filled.length >= 6);
  for (const profile of filled) {
    const { countryCode } = profile.record;
    const all = (kind: string) => profile.collection(kind).all();
    const advertised = new Set(all("sp.product_ads").map((ad) => ad.asin));
    for (const adGroup of all("sb.ad_groups")) {
      assert.ok(profile.collection("sb.campaigns").get(String(adGroup.campaignId)), countryCode);
    }
    for (const ad of all("sb.ads")) {
      const creative = ad.creative as JsonObject;
      const subpages = (creative.subpages ?? []) as JsonObject[];
      const asins = (creative.asins ?? subpages.map((page) => page.asin)) as string[];
      assert.ok(asins.length > 0 && asins.every((asin) => advertised.has(asin)), `${countryCode} ${ad.adId}`);
    }
    const [low, high] = bidRange(countryCode, "sbImage");
    for (const keyword of [...all("sb.keywords"), ...all("sb.negative_keywords")]) {
      const adGroup = profile.collection("sb.ad_groups").get(String(keyword.adGroupId))!;
      assert.equal(adGroup.campaignId, keyword.campaignId);
      const use = { matchType: String(keyword.matchType), countryCode };
      assert.equal(
        checkKeywordText(String(keyword.keywordText), use),
        undefined,
        String(keyword.keywordText),
      );
      assert.ok(keyword.bid === undefined || (Number(keyword.bid) >= low && Number(keyword.bid) <= high));
    }
    for (const kind of KINDS) {
      const open = all(kind).filter((entity) => String(entity.state).toUpperCase() !== "ARCHIVED");
      assert.ok(open.every((entity) => profile.collection(kind).rivalOf(entity) === undefined), kind);
    }
  }
});
