import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { Client } from "@modelcontextprotocol/client";
import { buildServer } from "../../src/interfaces/mcp/server/build_server.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { World } from "./support/world.ts";

Deno.test("a client that watches a plan hears when it is applied, and of no other plan", async () => {
  await using world = await World.start();
  const context = world.context();
  await using agent = await Agent.connect(context, { era: "legacy" });
  const heard: string[] = [];
  agent.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
  });
  const watched = await bidPlan(agent, 0.61);
  const uri = `platform-ads://plans/${watched.plan_id}`;
  await agent.client.subscribeResource({ uri });
  equal((await agent.call("apply_plan", await bidPlan(agent, 0.62))).isError, false);
  deepEqual(heard, []);
  const again = await bidPlan(agent, 0.63);
  equal((await agent.call("apply_plan", watched)).isError, true, "the account has changed since");
  await agent.client.subscribeResource({ uri: `platform-ads://plans/${again.plan_id}` });
  equal((await agent.call("apply_plan", again)).isError, false);
  deepEqual(heard, [`platform-ads://plans/${again.plan_id}`]);
  await agent.client.unsubscribeResource({ uri });
  equal(context.updates.size, 1);
  await agent.client.close();
  equal(context.updates.size, 0, "nothing is kept of a client that is gone");
});

Deno.test("a session watches at most 256 resources", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context(), { era: "legacy" });
  for (let count = 0; count < 256; count++) {
    await agent.client.subscribeResource({ uri: `platform-ads://plans/${count}` });
  }
  await rejects(agent.client.subscribeResource({ uri: "platform-ads://notes" }), /at most 256 resources/);
});

Deno.test("a client is told what failed, from the level on that it asks for", async () => {
  await using world = await World.start();
  const [here, there] = InMemoryTransport.createLinkedPair();
  await buildServer(world.context()).connect(there);
  const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const logged: { level: string; data: unknown }[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params));
  await client.connect(here);
  ok(client.getServerCapabilities()?.logging);
  await client.setLoggingLevel("warning");
  await client.callTool({ name: "list_entities", arguments: { market: "XX", entity: "sp_campaigns" } });
  equal(logged.length, 1);
  match(String(logged[0]!.data), /XX/);
  await client.setLoggingLevel("error");
  await client.callTool({ name: "list_entities", arguments: { market: "XX", entity: "sp_campaigns" } });
  equal(logged.length, 1);
  await client.close();
});

Deno.test("a client that watches the list of plans hears of each plan that is saved, applied or refused", async () => {
  await using world = await World.start();
  const context = world.context();
  await using agent = await Agent.connect(context, {
    era: "legacy",
    person: () => {
      world.passed += 5_000;
      return "no";
    },
  });
  const heard: string[] = [];
  agent.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.push(params.uri);
  });
  const uri = "platform-ads://plans";
  await agent.client.subscribeResource({ uri });
  const plan = await bidPlan(agent, 0.71);
  deepEqual(heard, [uri]);
  const states = async () =>
    JSON.parse(await agent.read(uri)).map((row: { plan_id: string; state: string }) => [
      row.plan_id,
      row.state,
    ]);
  deepEqual(await states(), [[plan.plan_id, "open"]]);
  equal((await agent.call("apply_plan", plan)).isError, true);
  deepEqual(heard, [uri, uri]);
  deepEqual(await states(), [[plan.plan_id, "refused"]]);
});

Deno.test("log messages hold no secret, and each level lets through what is as severe or more", async () => {
  await using world = await World.start();
  const { clientSecret } = world.emulator.credentials;
  const [here, there] = InMemoryTransport.createLinkedPair();
  await buildServer(world.context()).connect(there);
  const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  const logged: string[] = [];
  client.setNotificationHandler(
    "notifications/message",
    ({ params }) => void logged.push(`${params.level} ${params.logger} ${params.data}`),
  );
  await client.connect(here);
  for (
    const level of ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const
  ) {
    logged.length = 0;
    await client.setLoggingLevel(level);
    const args = { market: "US", entity: `x ${clientSecret}` };
    await client.callTool({ name: "list_entities", arguments: args });
    equal(logged.length, ["debug", "info", "notice", "warning"].includes(level) ? 1 : 0, level);
    ok(logged.every((line) => line.startsWith("warning list_entities ") && !line.includes(clientSecret)));
  }
  await rejects(client.setLoggingLevel("loud" as never), /./);
  await client.close();
});
