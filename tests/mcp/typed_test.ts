import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { NOTES } from "../../src/platform/notes/notes.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { World } from "./support/world.ts";

Deno.test("api_notes gives topics, a topic's notes, and notes by words", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const topics = await agent.call("api_notes");
  deepEqual(topics.data.topics.map(({ id }: { id: string }) => id), NOTES.map(({ id }) => id));
  const first = await agent.call("api_notes", { topic: NOTES[0]!.id });
  equal(first.data.notes.length, NOTES[0]!.notes.length);
  const found = await agent.call("api_notes", { topic: "refresh token 365" });
  ok(found.data.notes.length >= 1);
  const none = await agent.call("api_notes", { topic: "zeppelin" });
  match(none.text, /^No note holds all of "zeppelin"\. Topics/);
  match(await agent.read("platform-ads://notes"), /^# Notes on the platform\n\n## /);
});

Deno.test("suggested bids stand beside the current ones, page by page", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const { data: { rows: [campaign] } } = await agent.call("list_entities", {
    market: "US",
    entity: "sp_keywords",
    limit: 1,
  });
  const args = { market: "US", campaign_ids: [campaign.campaignId], limit: 5 };
  const { data, text } = await agent.call("get_suggested_bids", args);
  equal(data.rows.length, 5);
  ok(data.total > 5);
  equal(data.next_offset, 5);
  const priced = data.rows.find((row: { suggested: number | null }) => row.suggested !== null);
  ok(priced.low <= priced.suggested && priced.suggested <= priced.high);
  match(text, /keywordId \| keywordText \| matchType \| bid \| low \| suggested \| high/);

  const targets = await agent.call("get_suggested_bids_for_targets", { market: "US", limit: 200 });
  const [first] = targets.data.rows;
  deepEqual(Object.keys(first), ["targetId", "expression", "bid", "low", "suggested", "high"]);
  match(targets.text, /no suggested bids for \d+ of these targets/);
});

Deno.test("suggested bids for what is yet to be made", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const args = { market: "US", asins: ["B000000001"] };
  const { data } = await agent.call("get_suggested_bids_for_new", {
    ...args,
    keywords: ["tent:EXACT", "camp:broad"],
    target_asins: ["B000000002"],
  });
  deepEqual(data.rows.map(({ type, value }: { type: string; value: string }) => [type, value]), [
    ["KEYWORD_EXACT_MATCH", "tent"],
    ["KEYWORD_BROAD_MATCH", "camp"],
    ["PAT_ASIN", "B000000002"],
  ]);
  match((await agent.call("get_suggested_bids_for_new", args)).text, /add keywords or target_asins/);
  const before = world.emulator.requests().length;
  const many = (item: string): string[] => Array(101).fill(item);
  for (
    const [name, list] of Object.entries({ keywords: many("tent:EXACT"), target_asins: many("B000000002") })
  ) {
    const { text } = await agent.call("get_suggested_bids_for_new", { ...args, [name]: list });
    match(text, new RegExp(`${name} has 101 values, more than 100`));
  }
  equal(world.emulator.requests().length, before);
});

Deno.test("what an agent changed is in the history, and a plan puts it back", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const plan = await bidPlan(agent, 0.97);
  const { data: { changes: [change] } } = await agent.call("get_plan", { plan_id: plan.plan_id });
  world.emulator.advance(60);
  const since = world.emulator.clock.iso();
  world.emulator.advance(60);
  equal((await agent.call("apply_plan", plan)).data.ok, true);
  world.emulator.advance(60);

  const history = await agent.call("get_change_history", { market: "US", since, changes: ["BID_AMOUNT"] });
  equal(history.data.total, 1);
  equal(history.data.rows[0].entity_id, change.id);
  equal(Number(history.data.rows[0].after), 0.97);
  match(history.text, /time \| entity_type/);

  const restore = await agent.call("plan_restore_from_history", { market: "US", since });
  deepEqual(
    restore.data.changes.map((row: Record<string, unknown>) => [row["id"], row["before"], row["after"]]),
    [
      [change.id, 0.97, change.before],
    ],
  );
  const changes = async (by: string) =>
    (await agent.call("plan_restore_from_history", { market: "US", since, made_by: by })).data.total_changes;
  deepEqual([await changes("plans"), await changes("others")], [1, 0]);
  const { plan_id, fingerprint } = restore.data;
  equal((await agent.call("apply_plan", { plan_id, fingerprint })).data.ok, true);
  const nothing = await agent.call("plan_restore_from_history", {
    market: "US",
    since,
    until: since,
    created: "keep",
  });
  match(nothing.text, /^Nothing to change in .+ \(seller\), profile \d+ \(US\)/);
  const tooEarly = await agent.call("get_change_history", { market: "US", since: "-100" });
  match(tooEarly.text, /remembers 90 days/);
});
