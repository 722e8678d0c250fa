import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { PlanStore } from "../../mod.ts";
import { accountDrift } from "../../src/account/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { edited, EXACT, onOtherWire, pulled } from "./account_world.ts";
import { mostlyOnOneWire } from "../support/on_both_wires.ts";

mostlyOnOneWire(
  "what a plan of ours did is ours, and everything else is not, whatever the history does not report included",
  async (options) => {
    await using world = await pulled(options);
    await using folder = await temporaryFolder();
    const { ca, files, world: { emulator, time } } = world;
    const store = PlanStore.open(folder.path, { now: time.now });
    const pass = (seconds: number): void => {
      emulator.advance(seconds);
      time.advance(seconds);
    };
    await rejects(accountDrift(ca), /no pull and no applied plan of this profile is known/);
    equal((await accountDrift(ca, { files, plans: [store] })).entries.length, 0);
    pass(3600);

    const [a, b, c] = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
      bid !== undefined
    );
    const plan = await ca.sp.keywords.planUpdate([{ keywordId: a!.keywordId, bid: a!.bid! + 0.1 }], {
      note: "Raise",
    });
    await store.save(plan);
    await store.apply(plan, ca);
    pass(3600);
    // Somebody else: the same value an hour later is not the plan's, and neither are fields that no history reports.
    await ca.sp.keywords.update([{ keywordId: b!.keywordId, bid: 0.77 }]);
    await ca.sp.keywords.update([{ keywordId: a!.keywordId, bid: 0.5 }]);
    await ca.sp.keywords.update([{ keywordId: a!.keywordId, bid: a!.bid! + 0.1 }]);
    const [portfolio] = await ca.portfolios.list();
    await ca.portfolios.update([{ portfolioId: portfolio!.portfolioId, name: "Theirs" }]);
    await ca.sp.keywords.delete([c!.keywordId]);

    const { entries, isOurs, since, base } = await accountDrift(ca, { files, plans: [store] });
    equal(base, "pull");
    const fromPlan = await accountDrift(ca, { plans: [store] });
    equal(fromPlan.base, "plan", "without files, the last applied plan is the base, and is named");
    ok(fromPlan.since > since);
    const named = await accountDrift(ca, { files, plans: [store], since: "plan" });
    deepEqual([named.base, named.since], ["plan", fromPlan.since]);
    await rejects(accountDrift(ca, { plans: [store], since: "pull" }), /no pull of this profile is known/);
    equal(isOurs, false);
    deepEqual(
      entries.map(({ kind, id, change, by, plan }) => [kind, id, change, by, plan?.planId, plan?.note]),
      [
        ["sp.keywords", a!.keywordId, "BID_AMOUNT", "plan", plan.id, "Raise"],
        ["sp.keywords", b!.keywordId, "BID_AMOUNT", "other", undefined, undefined],
        ["sp.keywords", a!.keywordId, "BID_AMOUNT", "other", undefined, undefined],
        ["sp.keywords", a!.keywordId, "BID_AMOUNT", "other", undefined, undefined],
        ["sp.keywords", c!.keywordId, "STATUS", "other", undefined, undefined],
        ["portfolios", portfolio!.portfolioId, "name", "other", undefined, undefined],
      ],
    );
    const campaigns = await ca.sp.campaigns.list({ states: null });
    const nameOf = (id: string): string => campaigns.find(({ campaignId }) => campaignId === id)!.name;
    deepEqual(
      entries.map(({ campaign }) => campaign),
      [a!, b!, a!, a!, c!].map(({ campaignId }) => nameOf(campaignId) as string | undefined).concat(
        undefined,
      ),
    );
    deepEqual([entries[1]!.before, entries[1]!.after], [String(b!.bid), "0.77"]);
    deepEqual([entries[5]!.before, entries[5]!.after, entries[5]!.at], [portfolio!.name, "Theirs", null]);

    const ignoring = await accountDrift(ca, {
      files,
      plans: [store],
      ignore: ["sp.keywords.bid", "portfolios"],
    });
    deepEqual(ignoring.entries.map(({ change }) => change), ["STATUS"]);
    // Edits of one's own are no drift.
    const mine = edited(files, { [EXACT]: (text) => text.replace(/^state: .*/m, "state: PAUSED") });
    ok(
      (await accountDrift(ca, { files: mine, plans: [store] })).entries.every(({ change }) =>
        change !== "state"
      ),
    );
  },
);

mostlyOnOneWire("what a plan creates is ours with all that the platform makes with it", async (options) => {
  await using world = await pulled(options);
  await using folder = await temporaryFolder();
  const { ca, world: { emulator, time } } = world;
  emulator.advance(60);
  time.advance(60);
  const store = PlanStore.open(folder.path, { now: time.now });
  const plan = await ca.plan()
    .create("sp.campaigns", {
      name: "Auto",
      state: "ENABLED",
      targetingType: "AUTO",
      startDate: "2027-01-01",
      budget: 20,
    }, { as: "c" })
    .create("sp.ad_groups", { campaignId: { ref: "c" }, name: "Group", state: "ENABLED", defaultBid: 0.5 })
    .build();
  await store.save(plan);
  await store.apply(plan, ca);
  const { entries, isOurs } = await accountDrift(ca, { since: time.now() - 30_000, plans: [store] });
  equal(entries.filter(({ kind }) => kind === "sp.targets").length, 4, "the automatic targets");
  equal(isOurs, true);
});

mostlyOnOneWire("fields that no history reports are found in the entities of the store", async (options) => {
  await using world = await pulled(options);
  await using folder = await temporaryFolder();
  const { ca, world: { emulator, time } } = world;
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: time.now });
  try {
    await store.sync([ca], { entities: "only" });
    emulator.advance(60);
    time.advance(60);
    const since = time.now();
    emulator.advance(60);
    time.advance(60);
    const [portfolio] = await ca.portfolios.list();
    await ca.portfolios.update([{ portfolioId: portfolio!.portfolioId, name: "Theirs" }]);
    await store.sync([ca], { entities: "only" });
    const { entries } = await accountDrift(ca, { since, store });
    deepEqual(
      entries.map(({ kind, id, change, before, after, by }) => [kind, id, change, before, after, by]),
      [["portfolios", portfolio!.portfolioId, "name", portfolio!.name, "Theirs", "other"]],
    );
  } finally {
    await store.close();
  }
});

mostlyOnOneWire("entities that the store reads by the other wire have not drifted", async (options, wire) => {
  await using world = await pulled(options);
  await using folder = await temporaryFolder();
  const { ca, world: { emulator, time } } = world;
  const other = await onOtherWire(world.world, wire);
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: time.now });
  try {
    // One of the wires alone reads these tags.
    const unified = wire === "unified" ? ca : other;
    const [group] = await unified.sp.adGroups.list();
    (await unified.sp.adGroups.update([{ adGroupId: group!.adGroupId, tags: { team: "blue" } }]))
      .raiseForErrors();
    await store.sync([ca], { entities: "only" });
    const { rows } = await store.query("SELECT tags FROM sp_ad_groups_entities WHERE ad_group_id = ?", [
      group!.adGroupId,
    ]);
    deepEqual(rows, [{ tags: wire === "unified" ? '{"team":"blue"}' : null }]);
    emulator.advance(60);
    time.advance(60);
    const since = time.now();
    emulator.advance(60);
    time.advance(60);
    const [campaign] = await other.sd.campaigns.list();
    await other.sd.campaigns.update([{ campaignId: campaign!.campaignId, budget: 77 }]);
    await store.sync([other], { entities: "only" });
    const { entries } = await accountDrift(ca, { since, store });
    deepEqual(entries.map(({ kind, id, change, after }) => [kind, id, change, after]), [
      ["sd.campaigns", campaign!.campaignId, "budget", 77],
    ]);
  } finally {
    await store.close();
  }
});

mostlyOnOneWire(
  "what a plan of ours did to Display is ours, though no history reports it",
  async (options) => {
    await using world = await pulled(options);
    await using folder = await temporaryFolder();
    const { ca, files, world: { emulator, time } } = world;
    const plans = PlanStore.open(folder.path, { now: time.now });
    const ads = await Warehouse.open(folder.file("ads.sqlite"), { now: time.now });
    try {
      await ads.sync(ca, { entities: "only" });
      const since = new Date(time.now());
      const pass = (seconds: number): void => {
        emulator.advance(seconds);
        time.advance(seconds);
      };
      pass(3600);
      const [a, b] = await ca.sd.campaigns.list({ states: ["enabled"] });
      const [target, other] = await ca.sd.targets.list({ campaignIds: [a!.campaignId], states: ["enabled"] });
      const draft = ca.plan();
      draft.update("sd.campaigns", {
        campaignId: a!.campaignId,
        budget: a!.budget + 5,
        endDate: "2027-06-30",
      });
      draft.archive("sd.targets", target!.targetId);
      const plan = await draft.build({ note: "More days" });
      await plans.save(plan);
      (await plans.apply(plan, ca)).result.raiseForErrors();
      await ca.sd.campaigns.update([{ campaignId: b!.campaignId, budget: 77 }]);
      await ca.sd.targets.update([{ targetId: other!.targetId, bid: 1.23 }]);
      pass(3600);
      await ads.sync(ca, { entities: "only" });

      const shown = async (options: Parameters<typeof accountDrift>[1]): Promise<unknown[]> => {
        const { entries } = await accountDrift(ca, { ...options, plans: [plans] });
        return entries.map(({ kind, id, change, by, plan }) => [kind, id, change, by, plan?.note]).sort();
      };
      const theirs = [
        ["sd.campaigns", b!.campaignId, "budget", "other", undefined],
        ["sd.targets", other!.targetId, "bid", "other", undefined],
      ];
      const ours = [["sd.campaigns", a!.campaignId, "budget", "plan", "More days"]];
      const unpulled = ["sd.campaigns", a!.campaignId, "endDate", "plan", "More days"];
      deepEqual(
        await shown({ files }),
        [...ours, ...theirs, ["sd.targets", "", "REMOVED", "plan", "More days"]].sort(),
      );
      deepEqual(
        await shown({ since, store: ads }),
        [...ours, ...theirs, unpulled, ["sd.targets", target!.targetId, "state", "plan", "More days"]].sort(),
      );
    } finally {
      await ads.close();
    }
  },
);
