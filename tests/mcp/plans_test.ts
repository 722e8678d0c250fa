import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ChangePlan, PlanStore } from "../../mod.ts";
import { withFailingFiles } from "../support/failing_files.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";
import { plannedIn } from "../support/plan_words.ts";

async function someKeywords(agent: Agent, count: number): Promise<{ keywordId: string; bid: number }[]> {
  const { data } = await agent.call("list_entities", { market: "US", entity: "sp_keywords", limit: 200 });
  return data.rows.filter((row: { bid?: number }) => row.bid !== undefined).slice(0, count);
}

Deno.test("a plan is shown, applied, reported and undone", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const [first, second] = await someKeywords(agent, 2);
  const planned = await agent.call("plan_update", {
    market: "US",
    entity: "sp_keywords",
    items: [{ keywordId: first!.keywordId, bid: 0.61 }, { keyword_id: second!.keywordId, bid: 0.01 }, {
      keywordId: "123",
      bid: 1,
    }],
    note: "less waste",
  });
  deepEqual(plannedIn(planned.data.counts), [0, 1, 0]);
  match(planned.data.counts, /; 1 will not be sent$/);
  deepEqual(planned.data.missing, ["123"]);
  deepEqual(
    planned.data.changes.map((row: Record<string, unknown>) => [row["field"], row["before"], row["after"]]),
    [
      ["bid", second!.bid, 0.01],
      ["bid", first!.bid, 0.61],
    ],
  );
  match(planned.text, /Nothing is sent yet\. Show the table of changes to the person/);
  deepEqual(world.writes(), []);

  const { plan_id, fingerprint } = planned.data;
  const applied = await agent.call("apply_plan", { plan_id, fingerprint });
  equal(applied.isError, false);
  equal(applied.data.ok, false);
  equal(applied.data.succeeded, 1);
  equal(applied.data.approved_by, "fingerprint_only");
  match(applied.text, /Checked by fingerprint only/);
  const [failure] = applied.data.failures;
  equal(failure.id, second!.keywordId);
  ok(failure.label.length > 3);
  deepEqual(failure.sent, { bid: 0.01 });
  match(failure.allowed, /^[\d.]+ to [\d.]+$/);
  equal(failure.what_to_do, "Choose a bid inside the marketplace's range");

  const shown = await agent.call("get_plan", { plan_id });
  equal(shown.data.state, "applied");
  equal(shown.data.rollback_plan_id, applied.data.rollback_plan_id);
  const onDisk = JSON.parse(await Deno.readTextFile(applied.data.result_file));
  equal(onDisk.rollback_plan_id, applied.data.rollback_plan_id);

  const undone = await agent.call("apply_plan", {
    plan_id: applied.data.rollback_plan_id,
    fingerprint: applied.data.rollback_fingerprint,
  });
  equal(undone.data.ok, true);
  const after = await agent.call("list_entities", {
    market: "US",
    entity: "keywords",
    ids: [first!.keywordId],
  });
  equal(after.data.rows[0].bid, first!.bid);

  const again = await agent.call("get_plan", { plan_id });
  deepEqual([again.data.state, again.data.state_since], ["undone", again.data.undone_at]);

  const list = await agent.call("list_plans");
  const { tools } = await agent.client.listTools();
  match(tools.find(({ name }) => name === "list_plans")?.description ?? "", /applied, undone, refused/);
  const statesOf = (rows: { state: string; next?: string }[]) =>
    rows.map(({ state, next }) => [state, next]).sort();
  deepEqual(statesOf(list.data.rows), [["applied", undefined], ["undone", undefined]]);
  const whole = await agent.call("list_plans", { all: true });
  deepEqual(statesOf(whole.data.rows), [["applied", undefined], ["open", "apply"], ["undone", undefined]]);
  match(await agent.read(`platform-ads://plans/${plan_id}`), /^## Plan /);
});

Deno.test("a plan that a copy of its undo put back is undone in lists and by itself", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const [first] = await someKeywords(agent, 1);
  const { data: { plan_id, fingerprint } } = await agent.call("plan_update", {
    ...{ market: "US", entity: "sp_keywords", items: [{ keywordId: first!.keywordId, bid: 0.61 }] },
  });
  const { data: applied } = await agent.call("apply_plan", { plan_id, fingerprint });
  const store = PlanStore.open(world.planFolder);
  const copy = new ChangePlan({ ...await store.get(applied.rollback_plan_id), id: "copy" });
  await store.save(copy);
  const { data: undone } = await agent.call("apply_plan", { plan_id: "copy", fingerprint: copy.fingerprint });
  equal(undone.ok, true);
  const { data: list } = await agent.call("list_plans");
  equal(list.rows.find((row: { plan_id: string }) => row.plan_id === plan_id).state, "undone");
  const shown = await agent.call("get_plan", { plan_id });
  deepEqual([shown.data.state, shown.data.undone_by], ["undone", "copy"]);
  match(shown.text, /It was undone at .* by plan copy\n/);

  const { data: redo } = await agent.call("get_undo_plan", { plan_id: "copy" });
  await agent.call("apply_plan", { plan_id: redo.plan_id, fingerprint: redo.fingerprint });
  const { data: redone } = await agent.call("get_plan", { plan_id });
  deepEqual([redone.state, redone.undone_by], ["applied", undefined], "its undo was undone");
  equal((await agent.call("get_plan", { plan_id: "copy" })).data.state, "undone");
});

Deno.test("of a plan that is applied again, an undo that is spent is not named as what undoes it", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const keywords = await someKeywords(agent, 2);
  const { data: plan } = await agent.call("plan_update", {
    ...{ market: "US", entity: "sp_keywords" },
    items: keywords.map(({ keywordId }) => ({ keywordId, bid: 0.61 })),
  });
  const { plan_id } = plan;
  const send = ({ plan_id, fingerprint }: typeof plan) => agent.call("apply_plan", { plan_id, fingerprint });
  const undoOf = async (id: string) => (await agent.call("get_undo_plan", { plan_id: id })).data;
  await send(plan);
  await send(await undoOf(plan_id));
  const redo = await undoOf(`${plan_id}-undo`);
  await send(redo);
  const open = await agent.call("get_plan", { plan_id });
  deepEqual([open.data.state, open.data.rollback_plan_id], ["applied", `${plan_id}-undo3`]);
  match(open.text, /^Plan \S+-undo3 undoes it$/m);

  const entities = world.emulator.state.profile(plan.profile_id)!.collection("sp.keywords");
  const first = entities.get(keywords[0]!.keywordId)!;
  entities.replace({ ...first, state: "ARCHIVED" });
  equal((await send(await undoOf(redo.plan_id))).data.ok, false);
  const shown = await agent.call("get_plan", { plan_id });
  deepEqual(
    [shown.data.state, shown.data.undone_in_part, shown.data.rollback_plan_id],
    ["applied", true, undefined],
  );
  match(shown.text, /^get_undo_plan of plan \S+-undo2 shows what undoes the rest$/m);
  entities.replace(first);
  const rest = await undoOf(redo.plan_id);
  equal((await agent.call("get_plan", { plan_id })).data.rollback_plan_id, rest.plan_id);
  equal((await send(rest)).data.ok, true);
  equal((await agent.call("get_plan", { plan_id })).data.state, "undone");
});

Deno.test("of an undo that a person refused, the plan names what makes another", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const [first] = await someKeywords(agent, 1);
  const { data: { plan_id, fingerprint } } = await agent.call("plan_update", {
    ...{ market: "US", entity: "sp_keywords", items: [{ keywordId: first!.keywordId, bid: 0.61 }] },
  });
  const { data: { rollback_plan_id: id } } = await agent.call("apply_plan", { plan_id, fingerprint });
  await PlanStore.open(world.planFolder).refuse({ id });
  const shown = await agent.call("get_plan", { plan_id });
  equal(shown.data.rollback_plan_id, undefined);
  match(shown.text, new RegExp(`^get_undo_plan of plan ${plan_id} shows what undoes it$`, "m"));
});

Deno.test("of very many failures the first are in the answer, and all of them in a resource", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const all = [];
  for (const offset of [0, 200]) {
    all.push(
      ...(await agent.call("list_entities", { market: "US", entity: "keywords", limit: 200, offset })).data
        .rows,
    );
  }
  const items = all.slice(0, 250).map(({ keywordId }) => ({ keywordId, bid: 0.01 }));
  const { data: plan } = await agent.call("plan_update", { market: "US", entity: "keywords", items });
  const { isError, data, text } = await agent.call("apply_plan", {
    plan_id: plan.plan_id,
    fingerprint: plan.fingerprint,
  });
  equal(isError, true);
  deepEqual([data.failed, data.failures.length, data.rollback_plan_id], [250, 200, undefined]);
  match(text, /The first 200 of 250 failures; whole in platform-ads:\/\/results\//);
  equal(JSON.parse(await agent.read(data.failures_uri)).length, 250);
});

Deno.test("creates are undone by archiving what was created; archives warn", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const { data: { rows: [group] } } = await agent.call("list_entities", {
    market: "US",
    entity: "sp_ad_groups",
    states: ["ENABLED"],
    limit: 1,
  });
  const { adGroupId, campaignId } = group;
  const item = { adGroupId, campaignId, keywordText: "free", matchType: "NEGATIVE_EXACT", state: "ENABLED" };
  const planned = await agent.call("plan_create", {
    market: "US",
    entity: "sp_negative_keywords",
    items: [item],
  });
  const { plan_id, fingerprint } = planned.data;
  const applied = await agent.call("apply_plan", { plan_id, fingerprint });
  equal(applied.data.ok, true);
  const undo = await agent.call("get_plan", { plan_id: applied.data.rollback_plan_id });
  deepEqual(plannedIn(undo.data.counts), [0, 0, 1]);
  match(undo.text, /Warning: Archiving is permanent: 1 of the changes cannot be undone/);
  const listed = async () =>
    (await agent.call("list_plans")).data.rows.find((row: { plan_id: string }) => row.plan_id === plan_id);
  match((await listed()).applied_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const store = PlanStore.open(world.planFolder);
  const copy = new ChangePlan({ ...await store.get(applied.data.rollback_plan_id), id: "copy" });
  await store.save(copy);
  equal((await listed()).state, "applied");
  await agent.call("apply_plan", { plan_id: copy.id, fingerprint: copy.fingerprint });
  const { state, undone_by } = await listed();
  deepEqual([state, undone_by], ["undone", "copy"]);

  const [keyword] = await someKeywords(agent, 1);
  const archive = await agent.call("plan_archive", {
    market: "US",
    entity: "keywords",
    ids: [keyword!.keywordId],
  });
  match(archive.data.warnings.join(), /permanent|cannot be undone/);
});

Deno.test("a campaign and all in it are one plan of creates, in one row each, and applying gives their ids", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const place = { campaignId: { ref: "c" }, adGroupId: { ref: "g" }, state: "ENABLED" };
  const items = [
    {
      as: "c",
      name: "Launch",
      state: "PAUSED",
      targetingType: "MANUAL",
      startDate: "2027-01-01",
      budget: { budget: 12, budgetType: "DAILY" },
    },
    {
      entity: "sp_ad_groups",
      as: "g",
      campaignId: { ref: "c" },
      name: "Main",
      state: "ENABLED",
      defaultBid: 0.5,
    },
    { entity: "sp_keywords", ...place, keywordText: "trail shoes", matchType: "EXACT", bid: 0.6 },
    { entity: "sp_keywords", ...place, keywordText: "road shoes", matchType: "EXACT", bid: 0.7 },
  ];
  const args = { market: "US", entity: "sp_campaigns" };
  const planned = await agent.call("plan_create", { ...args, items });
  deepEqual(plannedIn(planned.data.counts), [4, 0, 0]);
  deepEqual([planned.data.changes.length, planned.data.total_changes], [4, 4]);
  const row = planned.data.changes.find(({ label }: { label: string }) => /road/.test(label));
  deepEqual([row.kind, row.id, row.field, row.after.keywordText, row.after.matchType, row.after.bid], [
    "sp.keywords",
    "(new)",
    "new",
    "road shoes",
    "EXACT",
    0.7,
  ]);
  const { plan_id, fingerprint } = planned.data;
  const applied = await agent.call("apply_plan", { plan_id, fingerprint });
  equal(applied.data.ok, true, applied.text);
  deepEqual(applied.data.created.map(({ kind }: { kind: string }) => kind), [
    "sp.campaigns",
    "sp.ad_groups",
    "sp.keywords",
    "sp.keywords",
  ]);
  const [campaign, group] = applied.data.created;
  const { data: { rows } } = await agent.call("list_entities", {
    market: "US",
    entity: "sp_keywords",
    campaign_ids: [campaign.id],
  });
  deepEqual(rows.map((one: { adGroupId: string }) => one.adGroupId), [group.id, group.id]);
  match(applied.text, new RegExp(`New: sp\\.campaigns ${campaign.id} `));

  for (
    const [wrong, message] of [
      [{ ...items[2], entity: "sp_keyword_s" }, /Did you mean "keywords"/],
      [{ ...items[2], as: 7 }, /item 4: "as" is 7, and must be a text/],
      [{ ...items[2], adGroupId: { ref: "h" } }, /"h"/],
    ] as const
  ) {
    const refused = await agent.call("plan_create", { ...args, items: [...items, { ...wrong }] });
    equal(refused.isError, true);
    match(refused.text, message);
  }
});

Deno.test("files of plans that somebody damaged hide no other plan, and open none", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const keywords = await someKeywords(agent, 5);
  const plans: { plan_id: string; fingerprint: string }[] = [];
  for (const [at, { keywordId }] of keywords.entries()) {
    const items = [{ keywordId, bid: 0.5 + at / 100 }];
    plans.push((await agent.call("plan_update", { market: "US", entity: "keywords", items })).data);
  }
  await Deno.mkdir(`${world.planFolder}/.plans`);
  const file = (at: number, ending: string) =>
    `${world.planFolder}/.plans/plan-${plans[at]!.plan_id}.${ending}`;
  await Deno.mkdir(file(0, "journal.jsonl"));
  await Deno.symlink(`${world.folder}/nowhere`, file(1, "journal.jsonl"));
  await Deno.writeTextFile(file(2, "result.json"), "[");
  await Deno.writeTextFile(file(3, "refused.json"), "5");
  await Deno.writeTextFile(`${world.planFolder}/plan-x.json`, "{}");
  const why = [
    /it is a folder/,
    /journal .* exists/,
    /its result file is damaged/,
    /refused these changes at an unknown time/,
  ];
  for (const [at, reason] of why.entries()) {
    const { isError, text } = await agent.call("apply_plan", {
      plan_id: plans[at]!.plan_id,
      fingerprint: plans[at]!.fingerprint,
    });
    equal(isError, true);
    match(text, reason);
    ok(!text.includes("undefined"));
  }
  deepEqual(world.writes(), []);
  await Deno.writeTextFile(file(4, "journal.jsonl"), "");
  const cut = await agent.call("get_plan", { plan_id: plans[4]!.plan_id });
  equal(cut.data.state, "unfinished");
  match(cut.text, /a person finds out what was done, with\n {2}adsctl plan resume \S+\.json/);
  await Deno.remove(file(4, "journal.jsonl"));
  // As the command line leaves it, which keeps the undoing under another name.
  await Deno.writeTextFile(
    file(2, "result.json"),
    JSON.stringify({ ok: true, summary: "1", rollback_plan_id: "gone" }),
  );
  equal((await agent.call("get_plan", { plan_id: plans[2]!.plan_id })).data.rollback_plan_id, undefined);
  const { data } = await agent.call("list_plans");
  const states = new Map(
    data.rows.map((row: { plan_id: string; state: string }) => [row.plan_id, row.state]),
  );
  deepEqual(plans.map(({ plan_id: id }) => states.get(id)), [
    "unusable",
    "open",
    "applied",
    "refused",
    "open",
  ]);
  equal(states.get("x"), "unusable");
});

Deno.test("what was done is reported where its result cannot be written", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const [keyword] = await someKeywords(agent, 1);
  const items = [{ keywordId: keyword!.keywordId, bid: 0.66 }];
  const { plan_id, fingerprint } =
    (await agent.call("plan_update", { market: "US", entity: "keywords", items })).data;
  const full = { path: /result\.json|undo\.json/, code: "ENOSPC" };
  const applied = await withFailingFiles(full, () => agent.call("apply_plan", { plan_id, fingerprint }));
  equal(applied.isError, false);
  deepEqual([applied.data.ok, applied.data.succeeded, applied.data.result_file], [true, 1, undefined]);
  equal(applied.data.warnings.length, 2);
  match(applied.text, /Some results could not be saved: Cannot write .*: the disk is full/);
  equal((await agent.call("get_plan", { plan_id })).data.state, "unfinished");
});

Deno.test("a failure of the first request leaves the plan open", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const [keyword] = await someKeywords(agent, 1);
  const items = [{ keywordId: keyword!.keywordId, bid: 0.5 }];
  const { data } = await agent.call("plan_update", { market: "US", entity: "keywords", items });
  world.emulator.setFaults([{
    match: { path: "/sp/keywords", method: "PUT" },
    times: 1,
    effects: { response: { status: 400, body: { code: "INVALID_ARGUMENT", details: "No" } } },
  } as never]);
  const args = { plan_id: data.plan_id, fingerprint: data.fingerprint };
  const refused = await agent.call("apply_plan", args);
  equal(refused.isError, true);
  equal((await agent.call("get_plan", { plan_id: data.plan_id })).data.state, "open");
  world.emulator.setFaults([]);
  equal((await agent.call("apply_plan", args)).data.ok, true);
});
