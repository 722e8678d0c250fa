import type { Agent } from "./agent.ts";

/** Plans another bid for a keyword of the US profile that has one, and returns what apply_plan needs. */
export async function bidPlan(agent: Agent, bid: number): Promise<{ plan_id: string; fingerprint: string }> {
  const { data } = await agent.call("list_entities", { market: "US", entity: "sp_keywords", limit: 100 });
  const { keywordId } = data.rows.find((row: { bid?: number }) => row.bid !== undefined && row.bid !== bid);
  const items = [{ keywordId, bid }];
  const planned = await agent.call("plan_update", { market: "US", entity: "sp_keywords", items });
  return { plan_id: planned.data.plan_id, fingerprint: planned.data.fingerprint };
}
