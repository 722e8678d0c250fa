import assert from "node:assert/strict";
import { ChangePlan, PlatformAds } from "@platform/ads";
import { Emulator } from "@platform/ads/emulator";

const emulator = await Emulator.start();
const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
const profiles = await ads.profiles();
assert.equal(profiles.length, 8);

const canada = await ads.profile("CA");
const keywords = await canada.sp.keywords.list({ states: ["ENABLED"] });
assert.ok(keywords.length > 100, `${keywords.length} keywords`);

const { keywordId, bid } = keywords.find((keyword) => keyword.bid !== undefined);
const raised = Math.round((bid + 0.1) * 100) / 100;
const plan = await canada.sp.keywords.planUpdate([{ keywordId, bid: raised }], { note: "Raise one" });
await plan.save("raise.json");
const result = await (await ChangePlan.load("raise.json")).apply(canada, { checkDrift: true });
result.raiseForErrors();
assert.equal((await canada.sp.keywords.get(keywordId)).bid, raised);

(await result.rollbackPlan().apply(canada)).raiseForErrors();
assert.equal((await canada.sp.keywords.get(keywordId)).bid, bid);
await emulator.stop();
console.log(`${profiles.length} profiles, ${keywords.length} keywords, one raised and put back`);
