import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { planBids, readLabels } from "../../src/account/mod.ts";
import { storedWorld } from "./jobs/stored_world.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("labels are read with all that they are on, page after page", async () => {
  await using world = await emulated();
  const profile = world.emulator.state.profile(world.us.profileId)!;
  const campaigns = profile.collection("sp.campaigns").all().map(({ campaignId }) => String(campaignId));
  const labels = profile.collection("labels");
  const many = Array.from({ length: 7001 }, (_, at) => String(9_000_000 + at));
  labels.insert({
    labelId: "big",
    labelName: "Everything",
    labelObjectType: "CAMPAIGN",
    labelObjectIds: many,
  });
  labels.insert({ labelId: "none", labelName: "Unused", labelObjectType: "AD_GROUP", labelObjectIds: [] });
  const found = new Map((await readLabels(world.us)).map((label) => [label.name, label]));
  deepEqual([...found.keys()].sort(), ["Core range", "Everything", "On trial", "Unused"]);
  deepEqual(found.get("Everything")!.campaignIds, many);
  deepEqual(found.get("Unused"), { labelId: "none", name: "Unused", campaignIds: [], adGroupIds: [] });
  const core = found.get("Core range")!;
  equal(core.campaignIds.length, 3);
  ok(core.campaignIds.slice(0, 2).every((id) => campaigns.includes(id)));
  equal(found.get("On trial")!.campaignIds.length, 0);
  ok(found.get("On trial")!.adGroupIds.length > 0);
});

Deno.test("bids are planned for what is in campaigns and ad groups with a label, and nothing else", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const byName = new Map((await readLabels(us)).map((label) => [label.name, label]));
  const common = { store, where: "bid > 0.0", change: "-5%" };
  const idsOf = async (labels: readonly string[]) => {
    const { plan, considered } = await planBids(us, { ...common, labels });
    ok(considered > 0);
    return { considered, ids: plan.changes.map(({ id }) => id!).sort() };
  };
  const core = await idsOf(["Core range"]);
  const direct = await planBids(us, { ...common, campaignIds: byName.get("Core range")!.campaignIds });
  deepEqual(core.ids, direct.plan.changes.map(({ id }) => id!).sort());
  const trial = await idsOf(["On trial"]);
  const groups = byName.get("On trial")!.adGroupIds;
  const keywords = await us.sp.keywords.getMany(trial.ids);
  const targets = await us.sp.targets.getMany(trial.ids);
  for (const id of trial.ids) {
    ok(
      groups.includes((keywords.get(id) ?? targets.get(id))!.adGroupId),
      `${id} is in an ad group with the label`,
    );
  }
  deepEqual((await idsOf(["Core range", "On trial"])).ids, [...core.ids, ...trial.ids].sort());
  await rejects(planBids(us, { ...common, labels: ["Core rang"] }), {
    name: "TypeError",
    message: /Cannot use label "Core rang": expected one of .* Did you mean "Core range"\?/,
  });
});
