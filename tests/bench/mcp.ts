import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Agent } from "../mcp/support/agent.ts";
import { serverCommand } from "../mcp/support/server_process.ts";
import { World } from "../mcp/support/world.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { toolList } from "../../src/interfaces/mcp/server/tool_list.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";

const STARTS = 7;
const CALLS = 30;
/** As tests/mcp/tool_list_test.ts holds it. */
const MAX_BYTES = 28_500;

/** What the tool server costs: its start, a list beside the library's own, and the tokens of its tool list. */
export async function bench(): Promise<BenchLine[]> {
  await using world = await World.start();
  return [await startUp(world), await listLatency(world), await listSize(world)];
}

async function startUp(world: World): Promise<BenchLine> {
  const ours = await serverCommand(world);
  const bare = {
    ...ours,
    args: ["run", "-A", "-q", new URL("support/bare_mcp_server.ts", import.meta.url).href],
  };
  const times: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
  await toFirstAnswer(ours);
  await toFirstAnswer(bare);
  for (let round = 0; round < STARTS; round++) {
    times.ours.push(await milliseconds(() => toFirstAnswer(ours)));
    times.bare.push(await milliseconds(() => toFirstAnswer(bare)));
  }
  return benchLine("platform-ads-mcp: start to the first tool's answer", median(times.ours), {
    unit: "ms",
    baseline: median(times.bare),
  });
}

async function toFirstAnswer(
  server: { command: string; args: string[]; env: Record<string, string> },
): Promise<void> {
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const answer = await client.callTool({ name: "list_profiles", arguments: {} });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  void client.close();
}

async function listLatency(world: World): Promise<BenchLine> {
  const context = world.context();
  await using agent = await Agent.connect(context, { era: "legacy" });
  const profile = await context.profile("US");
  const args = { market: "US", entity: "sp_keywords", limit: 200 };
  const ours: number[] = [];
  const library: number[] = [];
  for (let round = 0; round < CALLS; round++) {
    ours.push(await milliseconds(() => agent.call("list_entities", args)));
    library.push(await milliseconds(() => profile.sp.keywords.list()));
  }
  return benchLine("list_entities: 1,120 keywords read, 200 answered", median(ours), {
    unit: "ms",
    baseline: median(library),
  });
}

async function listSize(world: World): Promise<BenchLine> {
  const settings = { saveFolder: world.folder };
  const context = world.context(settings, { store: new StoreAccess(`${world.folder}/ads.sqlite`) });
  await using agent = await Agent.connect(context, { era: "legacy" });
  const answer = await agent.client.listTools();
  const name = `tools/list: ${toolList(context).length} tools, against the most we allow`;
  return benchLine(name, JSON.stringify(answer).length, { unit: "bytes", baseline: MAX_BYTES });
}
