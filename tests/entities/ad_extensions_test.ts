import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { snapshotAccount } from "../../src/account/mod.ts";
import { onBothWires } from "../support/on_both_wires.ts";
import { emulated } from "../support/emulated.ts";

onBothWires(
  "ad extensions go by the unified family whatever the wire, without a warning",
  async (options) => {
    const warnings: string[] = [];
    await using world = await emulated({
      ...options,
      client: { ...options.client, onWarning: (text) => void warnings.push(text) },
    });
    world.asked();
    const found = await world.us.sp.adExtensions.list({ states: null });
    ok(found.length > 0);
    deepEqual(
      new Set(world.asked()),
      new Set(["POST /adsApi/v1/query/adExtensions", "POST /adsApi/v1/query/adGroups"]),
    );
    deepEqual(warnings, []);
  },
);

Deno.test("an ad extension names its campaign, which the platform does not, and is listed by it", async () => {
  await using world = await emulated();
  const { sp } = world.us;
  const [first] = await sp.adExtensions.list();
  const group = await sp.adGroups.get(first!.adGroupId);
  equal(first!.campaignId, group!.campaignId);
  const own = await sp.adExtensions.list({ campaignIds: [first!.campaignId] });
  ok(own.length > 0 && own.every(({ campaignId }) => campaignId === first!.campaignId));
  const ofAd = await sp.adExtensions.list({ filters: { adIdFilter: { include: [first!.adId] } } });
  ok(ofAd.length > 0 && ofAd.every(({ adId }) => adId === first!.adId));
});

Deno.test("extended data of ad extensions has their times, and for products how they are delivered", async () => {
  await using world = await emulated();
  const [product] = await world.us.sp.adExtensions.list({ states: ["PAUSED"], extended: true });
  equal(product!.extendedData!["servingStatus"], "AD_EXTENSION_PAUSED");
  const [brand] = await world.us.sb.adExtensions.list({ extended: true });
  deepEqual(Object.keys(brand!.extendedData!), ["creationDateTime", "lastUpdateDateTime"]);
});

Deno.test("ad extensions are written 50 at a time", async () => {
  await using world = await emulated();
  const { sp } = world.us;
  const [{ adGroupId } = { adGroupId: "" }] = await sp.adGroups.list({ states: ["ENABLED"] });
  world.asked();
  const result = await sp.adExtensions.create(
    Array.from({ length: 120 }, (_, number) => ({
      adGroupId,
      adExtensionType: "PROMPTS",
      promptText: `Does it float ${number} times?`,
      state: "PAUSED",
    })),
  );
  equal(result.summary(), "120 succeeded, 0 failed");
  deepEqual(
    world.asked().filter((line) => line.includes("/create/")),
    Array(3).fill("POST /adsApi/v1/create/adExtensions"),
  );
});

Deno.test("a plan says what is wrong with new ad extensions, and sends the others", async () => {
  await using world = await emulated();
  const { sp } = world.us;
  const [ad] = await sp.productAds.list({ states: ["ENABLED"] });
  const { adGroupId, adId } = ad!;
  const elsewhere = (await sp.productAds.list({ states: ["ENABLED"] })).find((one) =>
    one.adGroupId !== adGroupId
  )!;
  const extension = {
    adGroupId,
    adId,
    adExtensionType: "PROMPTS",
    promptText: "Does it float?",
    state: "ENABLED",
  };
  const plan = await sp.adExtensions.planCreate([
    extension,
    { ...extension, promptText: undefined },
    { ...extension, adExtensionType: "VIDEO" },
    { ...extension, adExtensionType: "AUDIO" },
    { ...extension, adId: "12" },
    { ...extension, adId: elsewhere.adId },
  ]);
  const messages = plan.findings.map(({ change, message }) => `${change}: ${message}`).join("\n");
  match(messages, /^1: A PROMPTS extension needs promptText/m);
  match(messages, /^2: A VIDEO extension takes no promptText/m);
  match(messages, /^3: adExtensionType "AUDIO" is not a value that the platform accepts/m);
  match(messages, /^4: There is no product ad 12 in this profile/m);
  match(messages, /^5: The product ad \d+ is in ad group \d+, not in \d+/m);
  deepEqual(plan.warnings, ["An ad extension cannot be archived, so creating one cannot be undone"]);
  const { changes } = await plan.apply(world.us);
  deepEqual(changes.map(({ outcome }) => outcome), ["done", ...Array(5).fill("not_sent")]);
});

Deno.test("only the state of an ad extension changes, by a plan that is undone, and nothing archives it", async () => {
  await using world = await emulated();
  const { sb } = world.us;
  const [{ adExtensionId } = { adExtensionId: "" }] = await sb.adExtensions.list({ states: ["ENABLED"] });
  const plan = await sb.adExtensions.planUpdate([{ adExtensionId, state: "PAUSED" }]);
  const result = await plan.apply(world.us, { checkDrift: true });
  result.raiseForErrors();
  equal((await sb.adExtensions.get(adExtensionId))!.state, "PAUSED");
  (await result.rollbackPlan().apply(world.us, { checkDrift: true })).raiseForErrors();
  equal((await sb.adExtensions.get(adExtensionId))!.state, "ENABLED");
  await rejects(
    sb.adExtensions.update([{ adExtensionId, promptText: "Another one?" }]),
    /none of its fields can be changed\. Updatable are state/,
  );
  equal(sb.adExtensions.archivable, false);
});

Deno.test("a copy for a login without the unified family lacks what that has alone, and says so", async () => {
  const faults = [{
    match: { operation: "*QueryAdExtension" },
    effects: { response: { status: 403, body: { code: "FORBIDDEN", message: "No access" } } },
  }];
  await using world = await emulated({ emulator: { faults } });
  const notices: string[] = [];
  const copy = await snapshotAccount(world.us, { onNotice: (text) => void notices.push(text) });
  deepEqual(notices.map((text) => text.split(":")[0]), [
    "Without ad extensions",
    "Without Brands ad extensions",
  ]);
  equal(copy.profiles[0]!.collections["sp.ad_extensions"], undefined);
  ok(copy.profiles[0]!.collections["sp.campaigns"]!.length > 0);
});
