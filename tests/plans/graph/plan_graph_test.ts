import { deepEqual, equal, match, ok, rejects, throws } from "../../support/assert.ts";
import { type Change, ChangePlan, type ProfileClient } from "../../../mod.ts";
import { emulated } from "../../support/emulated.ts";
import { FakeTarget } from "../../support/fake_target.ts";

const NEW = { state: "ENABLED" } as const;

/** A campaign with an ad group, keywords, a product ad and a negative that depends on the first keyword. */
function draftCampaign(us: ProfileClient, name: string, keywords = 2) {
  const draft = us.plan();
  // The children come first: the order of sending follows from the references.
  for (let at = 0; at < keywords; at++) {
    draft.create("sp.keywords", {
      ...NEW,
      campaignId: { ref: "c" },
      adGroupId: { ref: "g" },
      keywordText: `${name} word ${at}`,
      matchType: "EXACT",
      bid: 0.5,
    }, { as: `k${at}` });
  }
  draft.create("sp.ad_groups", { ...NEW, campaignId: { ref: "c" }, name: `${name} group`, defaultBid: 0.4 }, {
    as: "g",
  });
  draft.create("sp.campaigns", {
    ...NEW,
    name,
    targetingType: "MANUAL",
    startDate: "2099-01-01",
    budget: { budget: 15, budgetType: "DAILY" },
  }, { as: "c" });
  return draft;
}

Deno.test("a campaign with all that is in it is one plan, sent by what depends on what, and undone the other way round", async () => {
  await using world = await emulated();
  const us = world.us;
  const other = (await us.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) => bid !== undefined);
  const draft = draftCampaign(us, "Graph")
    .create("sp.negative_keywords", {
      ...NEW,
      campaignId: other!.campaignId,
      adGroupId: other!.adGroupId,
      keywordText: "graph word",
      matchType: "NEGATIVE_EXACT",
    }, { after: ["k0"] })
    .update("sp.keywords", { keywordId: other!.keywordId, bid: 0.99 });
  const plan = await draft.build({ note: "one go" });
  deepEqual(plan.changes.map(({ kind, op, ref }) => `${op} ${kind} ${ref ?? ""}`.trim()), [
    "create sp.keywords k0",
    "create sp.keywords k1",
    "create sp.ad_groups g",
    "create sp.campaigns c",
    "create sp.negative_keywords",
    "update sp.keywords",
  ]);
  equal(plan.note, "one go");
  const back = ChangePlan.fromJson(plan.toJson());
  deepEqual({ ...back }, { ...plan });

  const result = await back.apply(us, { checkDrift: true });
  equal(result.ok, true, result.summary());
  const [k0, k1, group, campaign] = result.changes.map(({ id }) => id!);
  const keyword = await us.sp.keywords.get(k0!);
  deepEqual([keyword!.campaignId, keyword!.adGroupId], [campaign, group]);
  equal((await us.sp.keywords.get(k1!))!.adGroupId, group);

  const undo = result.rollbackPlan();
  const kinds = undo.changes.map(({ op, kind }) => `${op} ${kind}`);
  ok(kinds.indexOf("archive sp.negative_keywords") < kinds.indexOf("archive sp.keywords"));
  ok(kinds.indexOf("archive sp.keywords") < kinds.indexOf("archive sp.ad_groups"));
  ok(kinds.indexOf("archive sp.ad_groups") < kinds.indexOf("archive sp.campaigns"));
  const undone = await undo.apply(us);
  equal(undone.ok, true, undone.summary());
  equal((await us.sp.campaigns.get(campaign!))!.state, "ARCHIVED");
  equal((await us.sp.keywords.get(other!.keywordId))!.bid, other!.bid);
});

Deno.test("what depends on a change that fails is not sent, because of it; the rest is", async () => {
  await using world = await emulated();
  const us = world.us;
  const draft = draftCampaign(us, "Refused").create("sp.campaigns", {
    ...NEW,
    name: "Fine",
    targetingType: "MANUAL",
    startDate: "2099-01-01",
    budget: { budget: 15, budgetType: "DAILY" },
  });
  const built = await draft.build();
  // A budget that the platform refuses.
  const changes = built.changes.map((change): Change =>
    change.ref === "c"
      ? { ...change, after: { ...change.after, budget: { budget: 1e9, budgetType: "DAILY" } } }
      : change
  );
  const { profileId, countryCode } = us;
  const result = await new ChangePlan({ profileId, countryCode, changes }).apply(us);
  deepEqual(result.changes.map(({ outcome, error }) => [outcome, error?.code]), [
    ["not_sent", "DEPENDENCY_FAILED"],
    ["not_sent", "DEPENDENCY_FAILED"],
    ["not_sent", "DEPENDENCY_FAILED"],
    ["refused", result.changes[3]!.error!.code],
    ["done", undefined],
  ]);
  match(result.changes[2]!.error!.message, /Never sent, because it depends on "c", which was refused: /);
  match(
    result.changes[0]!.error!.message,
    /it depends on "c", which was refused|it depends on "g", which was not sent/,
  );
  equal(result.rollbackPlan().changes.length, 1);
});

Deno.test("a draft leaves out what is so already, and what waits for it does not wait", async () => {
  await using world = await emulated();
  const keyword = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) =>
    bid !== undefined
  );
  const { keywordId, bid, campaignId } = keyword!;
  const plan = await world.us.plan()
    .update("sp.keywords", { keywordId, bid: bid! }, { as: "same" })
    .update("sp.campaigns", { campaignId, name: "After" }, { after: ["same"] })
    .update("sp.ad_groups", { adGroupId: "123", name: "Gone" })
    .build();
  deepEqual(plan.changes.map(({ kind, dependsOn }) => [kind, dependsOn]), [["sp.campaigns", undefined]]);
  deepEqual(plan.missing, ["123"]);
  deepEqual((await world.us.plan().build()).changes, []);
});

Deno.test("a draft that does not fit together is refused before anything is sent", async () => {
  await using world = await emulated();
  const us = world.us;
  const [campaign] = await us.sp.campaigns.list();
  const { campaignId } = campaign!;
  await rejects(
    us.plan().create("sp.ad_groups", { ...NEW, campaignId: { ref: "c9" }, name: "x", defaultBid: 1 }).build(),
    /"c9"/,
  );
  const twice = us.plan().update("sp.campaigns", { campaignId, name: "a" }).archive(
    "sp.campaigns",
    campaignId,
  );
  await rejects(twice.build(), /Cannot plan two changes of one entity: sp\.campaigns \d+/);
  const dangling = new ChangePlan({
    profileId: us.profileId,
    countryCode: us.countryCode,
    changes: [{
      kind: "sp.ad_groups",
      op: "create",
      id: null,
      before: {},
      after: { campaignId: { ref: "c9" } },
      label: "x",
    }],
  });
  await rejects(dangling.apply(us), /no change has this name/);
  throws(() => ChangePlan.fromJson(dangling.toJson()), /its changes do not fit together.*"c9"/);
});

Deno.test("merged plans are done together: names are told apart, one change of two plans is taken once", async () => {
  const create = (name: string): Change => ({
    kind: "sp.campaigns",
    op: "create",
    id: null,
    before: {},
    after: { name },
    label: name,
    ref: "c",
  });
  const child = (name: string): Change => ({
    ...create(name),
    kind: "sp.ad_groups",
    after: { name, campaignId: { ref: "c" } },
    ref: "g",
  });
  const bid = (after: number): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: { bid: 1 },
    after: { bid: after },
    label: "k",
  });
  const planOf = (changes: Change[], more = {}): ChangePlan =>
    new ChangePlan({ profileId: "100", countryCode: "US", changes, ...more });
  const finding = { code: "X", level: "note" as const, change: 0, message: "m" };
  const merged = ChangePlan.merge([
    planOf([create("A"), child("a"), bid(2)], { note: "first", warnings: ["w"] }),
    planOf([bid(2), create("B"), child("b")], { note: "second", warnings: ["w"], findings: [finding] }),
  ]);
  deepEqual(merged.changes.map(({ label, ref, after }) => [label, ref, after["campaignId"]]), [
    ["A", "c", undefined],
    ["a", "g", { ref: "c" }],
    ["k", undefined, undefined],
    ["B", "c-2", undefined],
    ["b", "g-2", { ref: "c-2" }],
  ]);
  deepEqual([merged.note, merged.warnings, merged.findings], ["first; second", ["w"], [{
    ...finding,
    change: 2,
  }]]);
  const target = new FakeTarget();
  equal((await merged.apply(target)).ok, true);
  deepEqual(target.writes.map(({ op, kind, items }) => [op, kind, items.length]), [
    ["create", "sp.campaigns", 2],
    ["update", "sp.keywords", 1],
    ["create", "sp.ad_groups", 2],
  ]);
  deepEqual(target.writes[2]!.items, [
    { name: "a", campaignId: "new-sp.campaigns-0" },
    { name: "b", campaignId: "new-sp.campaigns-1" },
  ]);
  throws(
    () => ChangePlan.merge([planOf([bid(2)]), planOf([bid(3)])]),
    /sp\.keywords 9 k is changed by two of them/,
  );
  const elsewhere = new ChangePlan({ profileId: "101", countryCode: "US", changes: [] });
  throws(() => ChangePlan.merge([planOf([]), elsewhere]), /different profiles: 100 \(US\) and 101 \(US\)/);
  throws(() => ChangePlan.merge([]), /none is given/);
});

Deno.test("what needs an id that did not come back is not sent", async () => {
  const target = new FakeTarget();
  target.troubles["create sp.campaigns"] = { withoutId: [0] };
  const parent: Change = {
    kind: "sp.campaigns",
    op: "create",
    id: null,
    before: {},
    after: { name: "A" },
    label: "A",
    ref: "c",
  };
  const changes = [
    parent,
    { ...parent, kind: "sp.ad_groups", ref: "g", after: { campaignId: { ref: "c" } } },
    { ...parent, kind: "sp.keywords", ref: "k", after: { name: "x" }, dependsOn: ["c"] },
  ];
  const result = await new ChangePlan({ profileId: "100", countryCode: "US", changes }).apply(target);
  deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "not_sent", "done"]);
  match(result.changes[1]!.error!.message, /it needs the id of "c", which the platform did not return/);
});
