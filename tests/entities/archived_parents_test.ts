import { deepEqual, equal, match } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("what a plan changes in a campaign that it archives before is foreseen as the platform refuses it, and said where it is of no effect", async () => {
  await using world = await emulated();
  const { us } = world;
  const [keyword] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const { campaignId, adGroupId, keywordId, bid } = keyword!;
  const words = { campaignId, adGroupId, keywordText: "archived soon", matchType: "EXACT", state: "ENABLED" };

  const before = await us.plan()
    .archive("sp.campaigns", campaignId)
    .update("sp.keywords", { keywordId, bid: bid! + 0.05 })
    .create("sp.keywords", words)
    .build();
  deepEqual(before.findings.map(({ code, refused, change }) => [code, refused, change]).slice(0, 2), [
    ["PARENT_ARCHIVED_FORBIDS_UPDATES", true, 1],
    ["PARENT_ENTITY_ARCHIVED", true, 2],
  ]);
  match(before.findings[0]!.message, new RegExp(`The plan archives its campaign ${campaignId} before`));

  const after = await us.plan()
    .update("sp.keywords", { keywordId, bid: bid! + 0.05 })
    .archive("sp.campaigns", campaignId)
    .build();
  deepEqual(after.findings.map(({ code, refused, change }) => [code, refused, change]).slice(0, 1), [
    ["PARENT_IS_ARCHIVED_AFTERWARDS", undefined, 0],
  ]);

  const result = await before.apply(us, { sendAnyway: true });
  deepEqual(result.changes.map(({ outcome, error }) => [outcome, error?.code]), [
    ["done", undefined],
    ["refused", "PARENT_ARCHIVED_FORBIDS_UPDATES"],
    ["refused", "PARENT_ENTITY_ARCHIVED"],
  ]);
  equal((await us.sp.campaigns.get(campaignId))?.state, "ARCHIVED");
});

Deno.test("children that are archived before their campaign raise nothing", async () => {
  await using world = await emulated();
  const { us } = world;
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await us.plan()
    .archive("sp.keywords", keyword!.keywordId)
    .archive("sp.campaigns", keyword!.campaignId)
    .build();
  deepEqual(plan.findings.filter(({ code }) => code.startsWith("PARENT")), []);
  const result = await plan.apply(us);
  deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "done"]);
});

Deno.test("an archived campaign that a Display target only names, and that is not sent, refuses nothing", async () => {
  await using world = await emulated();
  const { us } = world;
  const groups = await us.sd.adGroups.list({ states: ["ENABLED"] });
  const [group] = groups;
  const other = groups.find(({ campaignId }) => campaignId !== group!.campaignId)!.campaignId;
  await us.sd.campaigns.delete([other]);
  const target = (campaignId: string) => ({
    campaignId,
    adGroupId: group!.adGroupId,
    expression: [{ type: "asinSameAs", value: "B0NAMED001" }],
    expressionType: "manual" as const,
    bid: 0.5,
    state: "ENABLED" as const,
  });
  const plan = await us.plan().create("sd.targets", target(other)).build();
  deepEqual(plan.findings.map(({ code, refused }) => [code, refused]), [[
    "PARENT_ENTITY_ARCHIVED",
    undefined,
  ]]);
  deepEqual((await plan.apply(us)).changes.map(({ outcome }) => outcome), ["done"]);

  await us.sd.campaigns.delete([group!.campaignId]);
  const closed = await us.plan().create("sd.targets", target(group!.campaignId)).build();
  equal(closed.findings[0]?.refused, true);
  const sent = await closed.apply(us, { sendAnyway: true });
  deepEqual(sent.changes.map(({ outcome }) => outcome), ["refused"]);
});
