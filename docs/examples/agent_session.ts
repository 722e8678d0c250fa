/**
 * What an agent does, as a program: it talks to the tool server over stdio, looks for keywords that bid more than the
 * platform would, and plans lower bids. It does not apply the plan: that is left to a person.
 *
 *     deno run -A docs/examples/agent_session.ts --demo CA
 *
 * Outside of this clone, install `@modelcontextprotocol/client` as well.
 * Ends in a plan file: look at it, then `adsctl plan apply`.
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

interface Rows<Row> {
  readonly rows: readonly Row[];
}

const args = process.argv.slice(2);
const demo = args.includes("--demo");
const market = args.find((arg) => !arg.startsWith("--")) ?? "CA";
const planFolder = process.env["PLAN_DIR"] ?? "plans/";
/** In this clone Deno runs the server's source; elsewhere it is an installed command. */
const source = new URL("../../mcp.ts", import.meta.url);
const server = "Deno" in globalThis && existsSync(source)
  ? { command: process.execPath, args: ["run", "-A", "-q", source.href] }
  : { command: "platform-ads-mcp", args: [] };

const client = new Client({ name: "agent-session", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: server.command,
    args: [...server.args, "--tools", "all", "--plan-dir", planFolder, ...(demo ? ["--demo"] : [])],
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
    ),
  }),
);
try {
  const { rows: keywords } = await use<Rows<{ keywordId: string }>>("list_entities", {
    market,
    entity: "sp_keywords",
    states: ["ENABLED"],
    fields: ["keywordId"],
    limit: 50,
  });
  const { rows: bids } = await use<Rows<{ keywordId: string; bid: number | null; high: number | null }>>(
    "get_suggested_bids",
    { market, ids: keywords.map(({ keywordId }) => keywordId), limit: 50 },
  );

  const items = bids.flatMap(({ keywordId, bid, high }) =>
    bid !== null && high !== null && bid > high ? [{ keywordId, bid: high }] : []
  );
  const plan = await use<{ plan_id?: string; fingerprint?: string; counts: string }>("plan_update", {
    market,
    entity: "sp_keywords",
    items,
    note: "Nobody bids more than the upper end of the suggestion",
  });
  console.log(`Plan ${plan.plan_id}: ${plan.counts}`);
  console.log(`A person reads it, and says yes to the fingerprint ${plan.fingerprint}`);
} finally {
  await client.close();
}

/** Calls a tool, shows its answer as the agent sees it, and gives its data. */
async function use<Data>(name: string, args: Record<string, unknown>): Promise<Data> {
  console.log(`\n> ${name} ${JSON.stringify(args).slice(0, 160)}`);
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((part) => part.type === "text" ? part.text : `(${part.type})`).join("\n");
  if (isError) throw new Error(`${name} failed: ${text}`);
  console.log(text.split("\n").slice(0, 8).join("\n"));
  return structuredContent as Data;
}
