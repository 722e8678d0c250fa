import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mcpHttpHandler } from "../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { serveHttp } from "../../src/interfaces/mcp/http/serve_http.ts";
import { bidPlan } from "./support/bid_plan.ts";
import type { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

const TOKEN = "a-token-of-24-characters";
const none = { token: undefined, hosts: [], origins: [] };

function post(
  body: unknown,
  headers: Record<string, string> = {},
  url = "http://127.0.0.1:3911/mcp",
): Request {
  return new Request(url, {
    method: "POST",
    headers: {
      "host": new URL(url).host,
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

Deno.test("httpSettings() listens on loopback, and elsewhere only with a token", () => {
  const address = (text: string, token?: string, hosts: string[] = []) => {
    const { hostname, port } = httpSettings(text, { token, hosts, origins: [] });
    return `${hostname} ${port}`;
  };
  equal(address("3911"), "127.0.0.1 3911");
  equal(address(":3911"), "127.0.0.1 3911");
  equal(address("localhost:0"), "localhost 0");
  equal(address("[::1]:3911"), "::1 3911");
  equal(address("10.0.0.5:3911", TOKEN), "10.0.0.5 3911");
  equal(address("0.0.0.0:3911", TOKEN, ["ads.internal"]), "0.0.0.0 3911");
  for (const wrong of ["", "host", "host:", "host:99999", "a:b:1", "http://x:1"]) {
    throws(() => address(wrong), /Cannot listen on .*HOST:PORT/, wrong);
  }
  for (const open of ["0.0.0.0:1", "10.0.0.5:1", "[::]:1", "ads.internal:1", "127.evil.example:1"]) {
    throws(() => address(open), /every request must bear a token/, open);
  }
  throws(() => address("3911", "short"), /shorter than 16/);
  throws(() => address("0.0.0.0:1", TOKEN), /--allow-host/);
});

Deno.test("the guard lets through whom it should", async (t) => {
  await using world = await World.start();
  const settings = httpSettings("127.0.0.1:3911", {
    token: TOKEN,
    hosts: ["ads.internal"],
    origins: ["ui.internal"],
  });
  const handler = mcpHttpHandler(world.context(), settings);
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const cases: [string, Request, number][] = [
    ["the right token", post(initialize, bearer), 200],
    ["a further host", post(initialize, bearer, "http://ads.internal/mcp"), 200],
    ["an allowed origin", post(initialize, { ...bearer, origin: "https://ui.internal" }), 200],
    ["no token", post(initialize), 401],
    ["a wrong token", post(initialize, { authorization: `Bearer ${TOKEN.slice(0, -1)}x` }), 401],
    ["a longer token", post(initialize, { authorization: `Bearer ${TOKEN}x` }), 401],
    ["another scheme", post(initialize, { authorization: `Basic ${TOKEN}` }), 401],
    ["a foreign host", post(initialize, bearer, "http://evil.example/mcp"), 403],
    ["a foreign origin", post(initialize, { ...bearer, origin: "https://evil.example" }), 403],
    ["an opaque origin", post(initialize, { ...bearer, origin: "null" }), 403],
    ["another path", post(initialize, bearer, "http://127.0.0.1:3911/admin"), 404],
    ["a body that is no JSON", post("{", bearer), 400],
    ["a body of 5 MB", post(`{"a":"${"x".repeat(5_000_000)}"}`, bearer), 413],
    ["no session", post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, bearer), 400],
    [
      "an unknown session",
      post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { ...bearer, "mcp-session-id": "x" }),
      404,
    ],
  ];
  for (const [what, request, status] of cases) {
    await t.step(`${what}: ${status}`, async () => {
      const response = await handler.fetch(request);
      await response.body?.cancel();
      equal(response.status, status);
    });
  }
  await handler.close();
});

Deno.test("sessions of the older protocol are bounded, end when idle, and make room", async () => {
  await using world = await World.start();
  let now = 0;
  const limits = { maxSessions: 3, idleSeconds: 100, now: () => now };
  const handler = mcpHttpHandler(world.context(), httpSettings("3911", none), limits);
  const begin = async (): Promise<string> => {
    const response = await handler.fetch(post(initialize));
    await response.text();
    return response.headers.get("mcp-session-id")!;
  };
  const isAlive = async (id: string): Promise<boolean> => {
    const ping = post({ jsonrpc: "2.0", id: 2, method: "ping" }, { "mcp-session-id": id });
    const response = await handler.fetch(ping);
    await response.body?.cancel();
    return response.status === 200;
  };
  const first = await begin();
  now = 1000;
  const others = [await begin(), await begin()];
  now = 2000;
  equal(await isAlive(first), true);
  now = 3000;
  const newest = await begin();
  // The one that was unused the longest made room.
  equal(await isAlive(others[0]!), false);
  deepEqual([await isAlive(first), await isAlive(others[1]!), await isAlive(newest)], [true, true, true]);
  now += 101_000;
  equal(await isAlive(newest), false);
  equal(await isAlive(first), false);

  const ended = await begin();
  const gone = await handler.fetch(
    new Request("http://127.0.0.1:3911/mcp", {
      method: "DELETE",
      headers: { "host": "127.0.0.1:3911", "mcp-session-id": ended },
    }),
  );
  equal(gone.status, 200);
  equal(await isAlive(ended), false);
  await handler.close();
});

/** Saves a plan that takes two requests, and returns what apply_plan needs. */
async function twoRequests(agent: Agent, { plans }: McpContext): Promise<Record<string, string>> {
  const { profileId, countryCode, changes } = await plans.get((await bidPlan(agent, 0.23)).plan_id);
  const asked = { market: "US", entity: "sp_campaigns", states: ["ENABLED"], limit: 1 };
  const { campaignId: id } = (await agent.call("list_entities", asked)).data.rows[0];
  const states = { before: { state: "ENABLED" }, after: { state: "PAUSED" } };
  const second = { kind: "sp.campaigns", op: "update", id, ...states, label: "x" } as const;
  const plan = new ChangePlan({ profileId, countryCode, changes: [...changes, second] });
  await plans.save(plan);
  return { plan_id: plan.id, fingerprint: plan.fingerprint };
}

Deno.test("a person is asked over HTTP in both protocols, and a client may go away", async (t) => {
  await using world = await World.start();
  const context = world.context();
  const server = await serveHttp(context, httpSettings("127.0.0.1:0", none));
  await using planner = await Agent.connect(context);
  for (const mode of ["legacy", "auto"] as const) {
    await t.step(mode, async () => {
      const client = new Client({ name: "http", version: "1" }, {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode },
      });
      client.setRequestHandler(
        "elicitation/create",
        () => ({ action: "accept", content: { approve: true } }),
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      const plan = await bidPlan(planner, mode === "auto" ? 0.21 : 0.22);
      const result = await client.callTool({ name: "apply_plan", arguments: plan });
      equal((result.structuredContent as { approved_by: string }).approved_by, "person");
      await client.close();
    });
  }

  await t.step(
    "one that goes away in the middle of apply_plan: the result is on disk, the rest is not sent",
    async () => {
      const plan = await twoRequests(planner, context);
      const held = world.holdNext("PUT", "/sp/keywords");
      const gone = new AbortController();
      const client = new Client({ name: "leaver", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      const lost = client.callTool({ name: "apply_plan", arguments: plan }, { signal: gone.signal }).catch(
        () => "gone",
      );
      await held.arrived;
      gone.abort();
      equal(await lost, "gone");
      await client.close();
      held.letIn();
      await context.stop();
      const { data } = await planner.call("get_plan", { plan_id: plan.plan_id });
      equal(data.state, "applied");
      equal(
        data.result,
        "update sp.keywords: 1 succeeded, 0 failed\nupdate sp.campaigns: 0 succeeded, 1 failed, 1 of them never sent",
      );
      ok(!world.writes().some((write) => write.endsWith("/sp/campaigns")));
    },
  );
  await server.stop();
  await fetch(server.url).then(() => ok(false), () => ok(true));
});
