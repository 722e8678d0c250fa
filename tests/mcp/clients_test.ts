import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { serveHttp } from "../../src/interfaces/mcp/http/serve_http.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { serverCommand } from "./support/server_process.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

/** The same tour of every client: read, plan, be asked, apply, read a resource and a prompt. */
async function tour(client: NewClient, bid: number): Promise<void> {
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    return result as {
      isError?: boolean;
      structuredContent: Record<string, unknown>;
      content: { text: string }[];
    };
  };
  const { tools } = await client.listTools();
  ok(tools.every((tool) => tool.outputSchema !== undefined && tool.annotations?.title === undefined));
  equal((await call("list_profiles")).structuredContent["total"], 8);
  equal((await call("list_entities", { market: "DE", entity: "sp_keywords" })).isError, true);

  const args = { market: "US", entity: "sp_keywords", limit: 100 };
  const rows = (await call("list_entities", args)).structuredContent["rows"] as {
    keywordId: string;
    bid?: number;
  }[];
  const { keywordId } = rows.find((row) => row.bid !== undefined)!;
  const items = [{ keywordId, bid }];
  const { plan_id, fingerprint } =
    (await call("plan_update", { market: "US", entity: "sp_keywords", items })).structuredContent;
  const applied = await call("apply_plan", { plan_id, fingerprint });
  equal(applied.structuredContent["approved_by"], "person", JSON.stringify(applied));

  const plan = await client.readResource({ uri: `platform-ads://plans/${plan_id}` });
  match(JSON.stringify(plan.contents[0]), /## Plan /);
  const { prompts } = await client.listPrompts();
  deepEqual(prompts.map(({ name }) => name).sort(), [
    "find_search_terms",
    "lower_wasted_bids",
    "morning_review",
    "undo_yesterday",
  ]);
  const prompt = await client.getPrompt({ name: "undo_yesterday", arguments: { market: "US" } });
  match(JSON.stringify(prompt.messages), /Wait for the person's answer/);
}

/** The 1.x client has the same methods; only its types are others. */
function oldClient(): NewClient & Pick<OldClient, "connect"> {
  const client = new OldClient({ name: "old", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { approve: true } }));
  return client as unknown as ReturnType<typeof oldClient>;
}

function newClient(mode: "auto" | "legacy"): NewClient {
  const client = new NewClient({ name: "new", version: "1" }, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode },
  });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { approve: true } }));
  return client;
}

long();
Deno.test("both generations of the SDK's client work over stdio", async (t) => {
  await using world = await World.start();
  const server = await serverCommand(world);
  await t.step("1.x", async () => {
    const client = oldClient();
    await client.connect(new OldStdio({ ...server, stderr: "ignore" }));
    await tour(client, 0.11);
    await client.close();
  });
  for (const mode of ["auto", "legacy"] as const) {
    await t.step(`2.x, ${mode}`, async () => {
      const client = newClient(mode);
      await client.connect(new NewStdio({ ...server, stderr: "ignore" }));
      await tour(client, mode === "auto" ? 0.12 : 0.13);
      await client.close();
    });
  }
});

Deno.test("the 1.x client works over HTTP, with a token", async () => {
  await using world = await World.start();
  const token = "a-token-of-24-characters";
  const server = await serveHttp(
    world.context(),
    httpSettings("127.0.0.1:0", { token, hosts: [], origins: [] }),
  );
  const client = oldClient();
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new OldHttp(new URL(server.url), { requestInit: { headers } }) as never);
  await tour(client, 0.14);
  await client.close();
  await server.stop();
});

long();
Deno.test("two server processes that apply one plan at the same moment send it once", async () => {
  await using world = await World.start();
  await using planner = await Agent.connect(world.context());
  const plan = await bidPlan(planner, 0.15);
  const server = await serverCommand(world);
  const clients = await Promise.all([1, 2].map(async () => {
    const client = new NewClient({ name: "racer", version: "1" });
    await client.connect(new NewStdio({ ...server, stderr: "ignore" }));
    await client.callTool({ name: "list_profiles" });
    return client;
  }));
  const before = world.writes().length;
  const answers = await Promise.all(
    clients.map((client) => client.callTool({ name: "apply_plan", arguments: plan })),
  );
  equal(answers.filter((answer) => answer.isError !== true).length, 1);
  equal(world.writes().length, before + 1);
  await Promise.all(clients.map((client) => client.close()));
});
