import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { existsSync } from "node:fs";
import { consoleWorld, signIn } from "./support/console_world.ts";

interface Edit {
  readonly kind: string;
  readonly id: string;
  readonly field: string;
  readonly value: string | number | null;
  readonly seen: string | number | null;
  readonly label: string;
}

Deno.test("an agent's plan is kept, changed and rejected row by row in the grid", async (t) => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const [one, two, three, four] = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
  const [campaign] = await world.us.sp.campaigns.list();
  if (!one || !two || !three || !four || !campaign) throw new Error("the demo account is smaller");
  const agents = world.us.plan();
  agents.update("sp.keywords", { keywordId: one.keywordId, bid: 0.71 })
    .update("sp.keywords", {
      keywordId: two.keywordId,
      bid: 0.72,
      state: two.state === "ENABLED" ? "PAUSED" : "ENABLED",
    })
    .update("sp.keywords", { keywordId: three.keywordId, bid: 0.73 })
    .update("sp.campaigns", { campaignId: campaign.campaignId, budget: campaign.budget.budget + 5 })
    .create("sp.keywords", {
      campaignId: one.campaignId,
      adGroupId: one.adGroupId,
      keywordText: "wind shelter",
      matchType: "EXACT",
      bid: 0.5,
      state: "ENABLED",
    });
  const plan = await agents.build({ note: "Lower what loses" });
  await world.agentPlans.save(plan);
  const base = `/api/plans/${plan.id}`;
  const draft = async (): Promise<
    { revision: number; edits: Edit[]; plan_id: string | null; file: string }
  > => (await page.ask(`${base}/draft`)).data;
  const of = (edits: readonly Edit[], id: string, field: string): Edit => {
    const found = edits.find((edit) => edit.id === id && edit.field === field);
    if (found === undefined) throw new Error(`no edit of ${field}`);
    return found;
  };

  await t.step(
    "it begins as the plan: each field with its old and new value, new entities as one",
    async () => {
      const { data } = await page.ask(`${base}/grid`);
      deepEqual([data.note, data.maker, data.closed], ["Lower what loses", "agent", null]);
      const row = data.rows.find(({ id }: { id: string }) => id === one.keywordId);
      deepEqual([row.bid, row.fields], [one.bid, { bid: "bid" }]);
      const made = data.rows.find(({ op }: { op: string }) => op === "create");
      deepEqual([made.bid, made.fields.bid], [0.5, "bid"]);
      const { edits, revision } = await draft();
      equal(revision, 0);
      deepEqual(edits, data.proposed);
      deepEqual(of(edits, two.keywordId, "bid").value, 0.72);
      deepEqual(of(edits, campaign.campaignId, "budget.budget").seen, campaign.budget.budget);
      deepEqual(edits.filter(({ field }) => field === "create").length, 1);
    },
  );

  await t.step("what is kept as a whole is the plan that it is", async () => {
    const { data } = await page.ask(`${base}/draft/check`, {});
    deepEqual([data.counts, data.conflicts, data.changes], [{ kept: 5, changed: 0, rejected: 0 }, [], 5]);
    const refused = await page.ask(`${base}/draft/review`, { revision: 0 });
    deepEqual([refused.status, refused.data.error.code], [409, "UNCHANGED"]);
  });

  await t.step("an edit of a field that the plan does not change is refused", async () => {
    const { edits } = await draft();
    const bid = of(edits, one.keywordId, "bid");
    const foreign = [{ ...bid, field: "state", value: "PAUSED" }, { ...bid, id: "1" }];
    const { status, data } = await page.ask(`${base}/draft`, { revision: 0, set: foreign });
    equal(status, 400);
    match(data.error.message, /"state" of sp\.keywords \d+ is not in plan .*sp\.keywords 1 is not in plan/);
  });

  await t.step("what others changed meanwhile is shown beside ours", async () => {
    await world.us.sp.keywords.update([{ keywordId: three.keywordId, bid: 0.99 }]);
    const { data } = await page.ask(`${base}/draft/check`, {});
    deepEqual(
      data.conflicts.map(({ id, seen, value, now }: Edit & { now: unknown }) => [id, seen, value, now]),
      [[three.keywordId, three.bid, 0.73, 0.99]],
    );
    const refused = await page.ask(`${base}/draft/review`, { revision: 0 });
    equal(refused.data.error.code, "CONFLICT");
  });

  let next = "";
  await t.step(
    "the review saves the rest as a new plan with its figures, and closes the old one",
    async () => {
      const { edits } = await draft();
      const set = [
        { ...of(edits, one.keywordId, "bid"), value: 0.61 },
        // Ours is kept: it replaces the value that is there now.
        { ...of(edits, three.keywordId, "bid"), seen: 0.99 },
        { ...of(edits, "change-5", "create"), field: "bid", value: 0.44, seen: 0.5 },
      ];
      const discard = [
        of(edits, two.keywordId, "state"),
        of(edits, campaign.campaignId, "budget.budget"),
      ];
      const { data: kept } = await page.ask(`${base}/draft`, { revision: 0, set, discard });
      equal(kept.revision, 1);
      const { status, data } = await page.ask(`${base}/draft/review`, { revision: 1, note: "Not so low" });
      deepEqual([status, data.error], [200, undefined]);
      next = data.plan_id;
      const made = await world.agentPlans.get(next);
      deepEqual(
        made.changes.map((
          { op, id, before, after },
        ) => [op, id, before["bid"], after["bid"], "state" in after]),
        [
          ["update", one.keywordId, one.bid, 0.61, false],
          ["update", two.keywordId, two.bid, 0.72, false],
          ["update", three.keywordId, 0.99, 0.73, false],
          ["create", null, undefined, 0.44, true],
        ],
      );
      match(made.note ?? "", /^Not so low \(Plan \S+ with 4 changed and 1 rejected: Lower what loses\)$/);
      ok(!existsSync((await draft()).file), "its edits are no longer needed");
    },
  );

  await t.step("the old plan can never be applied, and says which replaces it", async () => {
    await rejects(world.agentPlans.apply(plan, world.us), new RegExp(`replaced it at .* by plan ${next}`));
    const { data } = await page.ask(base);
    deepEqual([data.state, data.status.replacedBy], ["refused", next]);
    match(data.comments.at(-1).text, new RegExp(`plan ${next} replaces it, with 0 changes kept, 4 given`));
    const again = await page.ask(`${base}/draft/review`, { revision: 2 });
    equal(again.status, 409);
    const [edit] = (await draft()).edits;
    const late = await page.ask(`${base}/draft`, { revision: 0, discard: [edit] });
    match(late.data.error.message, /replaced it at/);
    ok(!existsSync((await draft()).file));
    match((await page.ask(`${base}/grid`)).data.closed, /replaced it/);
  });

  await t.step("the new plan is applied, and nothing of the rejected changes", async () => {
    const made = await world.agentPlans.get(next);
    const { result } = await world.agentPlans.apply(made, world.us);
    ok(result.ok);
    const now = new Map((await world.us.sp.keywords.list()).map((each) => [each.keywordId, each]));
    deepEqual(
      [one, two, three].map(({ keywordId }) => now.get(keywordId)?.bid),
      [0.61, 0.72, 0.73],
    );
    equal(now.get(two.keywordId)?.state, two.state);
    const [same] = await world.us.sp.campaigns.list({ campaignIds: [campaign.campaignId] });
    equal(same?.budget.budget, campaign.budget.budget);
  });
});

Deno.test("what a kept change needs cannot be rejected, and nothing is saved", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const draft = world.us.plan();
  const [adGroup] = await world.us.sp.adGroups.list();
  if (adGroup === undefined) throw new Error("the demo account is smaller");
  const place = { campaignId: adGroup.campaignId, state: "ENABLED" };
  draft.create("sp.ad_groups", { ...place, name: "New one", defaultBid: 0.4 }, { as: "g" })
    .create("sp.keywords", {
      ...place,
      adGroupId: { ref: "g" },
      keywordText: "wind shelter",
      matchType: "EXACT",
      bid: 0.5,
    });
  const plan = await draft.build();
  await world.plans.save(plan);
  const base = `/api/plans/${plan.id}/draft`;
  const { edits } = (await page.ask(base)).data;
  await page.ask(base, { revision: 0, discard: [edits[0]] });
  const { status, data } = await page.ask(`${base}/review`, { revision: 1 });
  deepEqual([status, data.error.code], [400, "BAD_REQUEST"]);
  match(data.error.message, /Reject the changes that need it too/);
  equal((await world.plans.status(plan.id)).state, "open");
  await page.ask(base, { revision: 1, discard: "all" });
  match((await page.ask(`${base}/review`, { revision: 2 })).data.error.message, /every change is rejected/);
  equal((await world.plans.ids()).length, 1);
  ok(existsSync((await page.ask(base)).data.file));
});

Deno.test("a review while another tab edits the same plan makes no plan, and loses no edit", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const slow = async (...request: Parameters<typeof fetch>): Promise<Response> => {
    const [run] = [meanwhile];
    meanwhile = undefined;
    await run?.();
    return await fetch(...request);
  };
  await using world = await consoleWorld({ client: { fetch: slow } });
  const page = await signIn(world);
  const [one, two] = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
  if (!one || !two) throw new Error("the demo account is smaller");
  const plan = await world.us.plan()
    .update("sp.keywords", { keywordId: one.keywordId, bid: 0.71 })
    .update("sp.keywords", { keywordId: two.keywordId, bid: 0.72 }).build();
  await world.plans.save(plan);
  const base = `/api/plans/${plan.id}/draft`;
  const [first, second]: Edit[] = (await page.ask(base)).data.edits;
  if (!first || !second) throw new Error("the plan has two edits");
  await page.ask(base, { revision: 0, set: [{ ...first, value: 0.61 }] });
  meanwhile = () => page.ask(base, { revision: 1, set: [{ ...second, value: 0.62 }] });
  const late = await page.ask(`${base}/review`, { revision: 1 });
  deepEqual([late.status, late.data.error?.code], [409, "DRAFT_CHANGED"]);
  deepEqual(await world.plans.ids(), [plan.id]);
  equal((await world.plans.status(plan.id)).state, "open");
  const { revision, edits } = (await page.ask(base)).data;
  deepEqual([revision, edits.map(({ value }: Edit) => value)], [2, [0.61, 0.62]]);
  const { data } = await page.ask(`${base}/review`, { revision: 2 });
  const made = await world.plans.get(data.plan_id);
  deepEqual(made.changes.map(({ after }) => after["bid"]), [0.61, 0.62]);
});
