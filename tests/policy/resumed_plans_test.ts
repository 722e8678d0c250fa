import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type Change, ChangePlan, PlanStore, PolicyError, type ProfileClient } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { keyword, place, scene } from "./attack_scene.ts";

const AT = "2026-11-18T12:00:00.000Z";

/** A store with a plan whose journal says that its first change was done. */
async function cutOff(
  us: ProfileClient,
  folder: string,
  { changes, isBegun = false }: { changes: readonly Change[]; isBegun?: boolean },
): Promise<{ store: PlanStore; plan: ChangePlan }> {
  const { profileId, countryCode } = us;
  const plan = new ChangePlan({ profileId, countryCode, changes });
  const store = PlanStore.open(folder);
  await store.save(plan);
  const journal = `${folder}/.plans/plan-${plan.id}.journal.jsonl`;
  await Deno.mkdir(`${folder}/.plans`, { recursive: true });
  if (isBegun) await plan.apply(us, { journal, stop: AbortSignal.abort() });
  const lines = [
    ...isBegun ? [] : [{ event: "begin", plan: plan.id, fingerprint: plan.fingerprint, at: AT }],
    { event: "sending", changes: [0], at: AT },
    { event: "answered", verdicts: [{ change: 0, outcome: "done", id: changes[0]!.id }], at: AT },
  ];
  await Deno.writeTextFile(journal, lines.map((line) => JSON.stringify(line) + "\n").join(""), {
    append: true,
  });
  return { store, plan };
}

Deno.test("earlier values of what a journal calls done are not believed: the open rest is judged by the account", () =>
  scene("max_increase: 20%", async (all) => {
    const { free, held, writes } = all;
    await using folder = await temporaryFolder();
    const there = await place(all, { defaultBid: 1 });
    const id = await keyword(free, there);
    const { store, plan } = await cutOff(held, folder.path, {
      changes: [
        {
          kind: "sp.ad_groups",
          op: "update",
          id: there.adGroupId,
          before: { defaultBid: 6 },
          after: { defaultBid: 6 },
          label: "Group",
        },
        {
          kind: "sp.keywords",
          op: "update",
          id,
          before: { bid: 6 },
          after: { bid: 6.3 },
          label: "red shoes",
        },
      ],
    });
    const before = writes();
    await rejects(store.resume(plan, held), (error: Error) => {
      ok(error instanceof PolicyError, String(error));
      match(error.message, /530\.0 %/);
      return true;
    });
    equal(writes(), before);
    // What is shown before is judged the same way.
    const found = await store.look(plan, held);
    const { denied } = await judge(plan, held, { found });
    deepEqual(denied.map(({ rule }) => rule), ["max_increase"]);
    // A rollout that is resumed asks the same judge.
    const { data } = await Rollout.create(`${folder.path}/whole`, [plan]);
    await Deno.rename(`${folder.path}/whole/rollout.json`, `${folder.path}/rollout.json`);
    const rollout = await Rollout.open(folder.path);
    deepEqual(rollout.data, data);
    const { entries: [entry] } = await rollout.apply(() => held, { approvedBy: () => "Ann" });
    equal(entry?.state, "unfinished");
    match(entry?.summary ?? "", /530\.0 %/);
    equal(writes(), before);
  }));

Deno.test("what a journal calls done leaves no first values behind that allow more on the same day", () =>
  scene("max_increase: 20%", async (all) => {
    const { free, held } = all;
    await using folder = await temporaryFolder();
    const there = await place(all, { defaultBid: 1 });
    const [first, second] = [
      await keyword(free, there, { bid: 1 }),
      await keyword(free, there, { keywordText: "blue", bid: 1 }),
    ];
    const raise = (id: string, before: number, after: number): Change => ({
      ...{ kind: "sp.keywords", op: "update", id, label: "shoes" },
      ...{ before: { bid: before }, after: { bid: after } },
    });
    const { store, plan } = await cutOff(held, folder.path, {
      changes: [raise(first, 6, 1), raise(second, 1, 1.1)],
      isBegun: true,
    });
    equal((await store.resume(plan, held)).result.ok, true);
    await rejects(held.sp.keywords.update([{ keywordId: first, bid: 6.3 }]), /530\.0 %/);
  }));

Deno.test("a plan that was never let through cools down as any other, whatever its journal says of a beginning", async () => {
  for (
    const { isBegun, remembers } of [
      { isBegun: false, remembers: true },
      { isBegun: true, remembers: true },
      { isBegun: true, remembers: false },
    ]
  ) {
    await scene("cooling: 14d", async (all) => {
      const { free, held } = all;
      await using folder = await temporaryFolder();
      const there = await place(all, { defaultBid: 1 });
      const id = await keyword(free, there);
      const update = { op: "update", before: {}, label: "x" } as const;
      const { store, plan } = await cutOff(held, folder.path, {
        isBegun,
        changes: [
          { ...update, kind: "sp.ad_groups", id: there.adGroupId, after: { defaultBid: 1.1 } },
          { ...update, kind: "sp.keywords", id, after: { bid: 1.3 } },
        ],
      });
      (await free.sp.keywords.update([{ keywordId: id, bid: 1.2 }])).raiseForErrors();
      const { denied } = await judge(plan, held, { found: await store.look(plan, held) });
      const wasLetThrough = isBegun && remembers;
      deepEqual(denied.map(({ rule }) => rule), wasLetThrough ? [] : ["cooling"]);
      // What is sent is judged the same way.
      const resuming = store.resume(plan, held);
      if (wasLetThrough) equal((await resuming).result.ok, true);
      else await rejects(resuming, /its bid was changed on \S+ and must not change again/);
    }, { remembers });
  }
});

Deno.test("money of a plan that was never let through is counted from the account, whatever its journal says", async () => {
  for (const remembers of [true, false]) {
    await scene("max_spend_increase_per_day: 15", async (all) => {
      const { held, writes } = all;
      await using folder = await temporaryFolder();
      const { campaignId } = await place(all, { budget: 15 });
      const budget = (amount: number) => ({ budget: { budgetType: "DAILY", budget: amount } });
      const update = { kind: "sp.campaigns", op: "update", id: campaignId, label: "x" } as const;
      const { store, plan } = await cutOff(held, folder.path, {
        changes: [
          { ...update, before: budget(300), after: budget(15) },
          { ...update, before: budget(15), after: budget(300) },
        ],
      });
      const before = writes();
      await rejects(store.resume(plan, held), (error: Error) => {
        ok(error instanceof PolicyError, String(error));
        deepEqual(error.findings.map(({ rule }) => rule), ["max_spend_increase_per_day"]);
        return true;
      });
      equal(writes(), before);
    }, { remembers });
  }
});

Deno.test("the review of a plan that was cut off counts the money of what was sent before", async () => {
  await scene("max_spend_increase_per_day: 12", async (all) => {
    const { free, held } = all;
    await using folder = await temporaryFolder();
    const [first, second] = [await place(all, { budget: 10 }), await place(all, { budget: 10 })];
    const raise = ({ campaignId }: { campaignId: string }, amount: number): Change => ({
      ...{ kind: "sp.campaigns", op: "update", id: campaignId, label: "x" },
      before: { budget: { budgetType: "DAILY", budget: 10 } },
      after: { budget: { budgetType: "DAILY", budget: amount } },
    });
    const { store, plan } = await cutOff(held, folder.path, {
      changes: [raise(first, 15), raise(second, 16)],
      isBegun: true,
    });
    const budget = { budgetType: "DAILY", budget: 15 } as const;
    (await free.sp.campaigns.update([{ campaignId: first.campaignId, budget }])).raiseForErrors();
    const denied = async () => (await judge(plan, held, { found: await store.look(plan, held) })).denied;
    deepEqual(await denied(), []);
    const third = await place(all, { budget: 10 });
    const more = { budgetType: "DAILY", budget: 12 } as const;
    (await held.sp.campaigns.update([{ campaignId: third.campaignId, budget: more }])).raiseForErrors();
    const [finding, ...others] = await denied();
    match(finding?.message ?? "", /13\.00 USD/);
    deepEqual(others, []);
  });
});
