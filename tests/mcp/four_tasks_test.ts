import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Agent, type Answer } from "./support/agent.ts";
import { tokensOf } from "./support/tokens_of.ts";
import { World } from "./support/world.ts";

const MAX_CALLS = 3;
const MAX_TOKENS = 4_000;

/** An agent on a server as it is started without options, whose calls and tokens are counted. */
async function countedAgent() {
  const world = await World.start({ quirks: { reportSeconds: 0 } });
  const context = world.context({ rows: "data", toolsets: undefined }, {
    now: () => world.emulator.clock.now(),
  });
  const agent = await Agent.connect(context);
  let calls = 0;
  let tokens = 0;
  return {
    world,
    call: async (name: string, args: Record<string, unknown>): Promise<Answer> => {
      const answer = await agent.call(name, { market: "US", ...args });
      equal(answer.isError, false, answer.text);
      calls++;
      // What the model writes, and what it reads: most clients show it either the text or the data.
      tokens += tokensOf(JSON.stringify(args)) +
        Math.max(tokensOf(answer.text), tokensOf(JSON.stringify(answer.data)));
      return answer;
    },
    ensureCheap: (task: string): void => {
      ok(calls <= MAX_CALLS && tokens <= MAX_TOKENS, `${task}: ${calls} calls, ${tokens} tokens`);
    },
    [Symbol.asyncDispose]: async () => {
      await agent.client.close();
      await context.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

Deno.test("why did spend rise: one call says by how much, where, and whether by clicks or by their price", async () => {
  await using task = await countedAgent();
  const { data, text } = await task.call("compare_periods", {});
  match(text, /2026-09-23 to 2026-09-29 against 2026-09-16 to 2026-09-22, in USD/);
  match(text, /Change in cost: -?[\d.]+ from clicks, -?[\d.]+ from CPC/);
  const levels = new Set(data.rows.map(({ by }: { by: string }) => by));
  deepEqual([...levels], ["total", "campaign", "keyword", "placement"]);
  ok(data.rows.every((row: Record<string, unknown>) => typeof row["cost_change"] === "number"));
  task.ensureCheap("why did spend rise");
});

Deno.test("the best 20 keywords + 8 %: one call plans, one applies", async () => {
  await using task = await countedAgent();
  const planned = await task.call("plan_bids", { change: "+8%", best: 20, max: 3 });
  const { plan_id, fingerprint, changes, considered, left_out_counts: leftOut } = planned.data;
  equal(considered, 20);
  equal(changes.length + Number(Object.values(leftOut).reduce((sum: number, n) => sum + Number(n), 0)), 20);
  for (const { before, after } of changes) {
    if (before !== null) {
      ok(after > before && after <= Math.min(3, before * 1.09 + 0.01), `${before} to ${after}`);
    }
  }
  equal(task.world.writes().length, 0);
  const { market: _, ...given } = { market: "", plan_id, fingerprint };
  const applied = await task.call("apply_plan", { ...given, market: undefined });
  equal(applied.data.ok, true, applied.text);
  task.ensureCheap("best 20 keywords + 8 %");
  // The days that the tool judges lie before that change: the same request plans none of them again.
  const ids = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id));
  const again = await task.call("plan_bids", { change: "+8%", best: 20, max: 3 });
  ok(again.data.left_out_counts.changed_lately >= changes.length, again.text);
  ok(ids(changes).isDisjointFrom(ids(again.data.changes)), "nothing is raised twice");
  const meant = await task.call("plan_bids", { change: "+8%", best: 20, max: 3, again: true });
  equal(meant.data.left_out_counts.changed_lately, undefined, meant.text);
});

Deno.test("wasted search terms: one call finds them with what they cost, one plans to keep the worst away", async () => {
  await using task = await countedAgent();
  const { data } = await task.call("find_waste", { min_clicks: 8, limit: 10 });
  ok(data.rows.length > 0);
  deepEqual(
    data.rows.map(({ cost }: { cost: number }) => cost),
    data.rows.map(({ cost }: { cost: number }) => cost).toSorted((a: number, b: number) => b - a),
  );
  const worst = { min_clicks: 8, campaign_ids: [data.rows[0].campaign_id] };
  const planned = await task.call("plan_negatives", worst);
  ok(planned.data.changes.length > 0, planned.text);
  const { considered, left_out_counts: leftOut, total_changes: fields } = planned.data;
  const left = Object.values(leftOut).reduce((sum: number, count) => sum + Number(count), 0);
  ok(considered > left && fields >= considered - left, planned.text);
  task.ensureCheap("wasted search terms");
});

Deno.test("out of stock: found by a search, and the ads of the products that are out are paused", async () => {
  await using task = await countedAgent();
  const found = await task.call("search_tools", { text: "out of stock", market: undefined });
  deepEqual(found.data.tools.map(({ name }: { name: string }) => name), ["find_product_problems"]);
  match(found.text, /Call by call_tool: find_product_problems\(\{"market": …\}\)/);
  const { data } = await task.call("call_tool", {
    tool: "find_product_problems",
    arguments: { market: "US" },
    market: undefined,
  });
  ok(data.rows.length > 0 && data.rows.length < 20);
  ok(data.rows.every(({ reasons }: { reasons: string }) => reasons === "OUT_OF_STOCK"));
  const ads = data.rows.filter(({ entity }: { entity: string }) => entity === "sp_product_ads");
  ok(ads.length > 0);
  const items = ads.map(({ ad_id: adId }: { ad_id: string }) => ({ adId, state: "PAUSED" }));
  const planned = await task.call("plan_update", { entity: "sp_product_ads", items });
  equal(planned.data.changes.length, items.length);
  task.ensureCheap("out of stock");
  const { plan_id, fingerprint } = planned.data;
  equal((await task.call("apply_plan", { plan_id, fingerprint, market: undefined })).data.ok, true);
  const again = await task.call("call_tool", {
    tool: "find_product_problems",
    arguments: { market: "US" },
    market: undefined,
  });
  const left = new Set(again.data.rows.map(({ ad_id: id }: { ad_id: string }) => id));
  ok(items.every(({ adId }: { adId: string }) => !left.has(adId)), "paused ads are no longer named");
});

Deno.test("an answer that the emulator made up says so, and one by its rules does not", async () => {
  await using task = await countedAgent();
  const call = (operation: string, body: unknown): Promise<Answer> =>
    task.call("call_tool", {
      tool: "call_operation",
      arguments: { market: "US", operation, body },
      market: undefined,
    });
  const [asin] = ["B0ABCDEFGH"];
  const byRules = await call("eligibility:productEligibility", { productDetailsList: [{ asin }] });
  equal(byRules.data.result.productResponseList[0].overallStatus, "ELIGIBLE");
  equal(byRules.data.note, undefined);
  const madeUp = await call("v1-all-ad-groups:QueryAdGroup", {
    adProductFilter: { include: ["SPONSORED_TELEVISION"] },
  });
  match(madeUp.data.note, /^Example data of the emulator/);
  match(madeUp.text, /Example data of the emulator/);
});

Deno.test("search terms that sell become keywords: one call suggests where, one plans", async () => {
  await using task = await countedAgent();
  const { data } = await task.call("plan_harvest", { min_orders: 3 });
  ok(data.suggestions.length > 0);
  const map = data.suggestions
    .filter(({ target }: { target: string | null }) => target !== null)
    .map(({ source, target }: { source: string; target: string }) => ({ source, target })).slice(0, 2);
  ok(map.length > 0, "a target is suggested");
  const planned = await task.call("plan_harvest", { min_orders: 3, map });
  ok(planned.data.plan_id, planned.text);
  task.ensureCheap("search terms that sell");
});
