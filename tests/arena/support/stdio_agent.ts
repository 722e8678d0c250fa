/**
 * A program that does weekly/out-of-stock over stdio, as an agent with a client of its own would: it starts `adsctl demo arena connect`
 * and pauses every ad of the SKU that the instruction names.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ADSCTL } from "../../cli/support/process.ts";

const instruction = await new Response(Deno.stdin.readable).text();
const [, sku = ""] = /SKU ([\w-]+)/.exec(instruction) ?? [];
const [, market = ""] = /The market is ([A-Z]{2})/.exec(instruction) ?? [];
const [program = "", ...words] = ADSCTL;
const client = new Client({ name: "stdio-agent", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: program,
    args: [...words, "arena", "connect", Deno.env.get("ADS_ARENA_URL") ?? ""],
    env: Deno.env.toObject(),
    stderr: "inherit",
  }),
);
// deno-lint-ignore no-explicit-any -- the agent looks into answers of every shape
const call = async (name: string, args: Record<string, unknown>): Promise<any> =>
  (await client.callTool({ name, arguments: args })).structuredContent;
const { rows } = await call("list_entities", { market, entity: "sp_product_ads", limit: 100 });
const ads = rows.filter((row: { sku: string }) => row.sku === sku);
const items = ads.map(({ adId }: { adId: string }) => ({ adId, state: "PAUSED" }));
const plan = await call("plan_update", { market, entity: "sp_product_ads", items });
await call("apply_plan", { plan_id: plan.plan_id, fingerprint: plan.fingerprint });
await client.close();
console.log(`paused: ${plan.total_changes}`);
