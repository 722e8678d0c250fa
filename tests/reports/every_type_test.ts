import assert from "node:assert/strict";
import { test } from "node:test";
import { namedReport } from "../../src/client/reports/requests/named_report.ts";
import { REPORT_PRESET_NAMES } from "../../src/client/reports/requests/presets.ts";
import { reportTypes } from "../../src/client/reports/requests/report_types.ts";
import { emulated } from "../support/emulated.ts";
import { long } from "../support/long.ts";

test("namedReport() finds presets, types in any spelling, and groupings", async () => {
  const names = async (...words: string[]): Promise<string[]> =>
    await Promise.all(words.map(async (word) => (await namedReport(word)).report));
  assert.deepEqual(await names("sp-placement", "SP_PLACEMENT"), ["sp_placement", "sp_placement"]);
  assert.deepEqual(await names("sdCampaigns", "sdcampaigns:campaign", "sd_campaigns:Campaign"), [
    "sd_campaigns_by_campaign",
    "sd_campaigns_by_campaign",
    "sd_campaigns_by_campaign",
  ]);
  assert.deepEqual(await names("spCampaigns:campaign+campaignPlacement", "dspAudioAndVideo:supplySource"), [
    "sp_campaigns_by_campaign_and_campaign_placement",
    "dsp_audio_and_video_by_supply_source",
  ]);
  await assert.rejects(namedReport("sdCampaign"), /Did you mean "sdCampaigns"\?/);
  await assert.rejects(
    namedReport("sdCampaigns:asin"),
    /no grouping "asin", expected one of campaign, matchedTarget/,
  );
});

long();
test("the emulator has every type of Products, Brands and Display with all published columns, and every preset", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  const types = [...(await reportTypes()).values()];
  const words = types.filter(({ adProduct }) => /PRODUCTS|BRANDS|DISPLAY/.test(adProduct))
    .flatMap(({ reportTypeId, groups }) => [...groups.keys()].map((group) => `${reportTypeId}:${group}`));
  assert.equal(words.length, 29);
  for (const word of [...words, ...REPORT_PRESET_NAMES]) {
    const report = await namedReport(word);
    const rows = await world.us.reports.run(report, "2026-09-27", "2026-09-28");
    assert(rows.length > 0, word);
    assert.deepEqual(Object.keys(rows[0]!).sort(), ["date", ...report.columns].sort(), word);
    const keys = rows.map((row) => JSON.stringify([row["date"], ...report.key.map((name) => row[name])]));
    // Its rows are by placement, and the column of the placement is published for the other grouping alone.
    if (word === "sbCampaignPlacement:campaign") continue;
    assert.equal(new Set(keys).size, keys.length, `${word}: the key tells its rows apart`);
  }
});
