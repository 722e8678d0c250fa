import { ok } from "node:assert/strict";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

Deno.test("a call that waits because the platform throttles says so in its progress, and one after it does not", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const told: string[] = [];
  const list = async (): Promise<void> => {
    await agent.client.callTool({
      name: "list_entities",
      arguments: { entity: "sp_campaigns", market: "US" },
    }, {
      onprogress: ({ message }) => told.push(message ?? ""),
    });
  };
  await list();
  world.emulator.setFaults([
    {
      match: { path: "/sp/campaigns/list" },
      times: 1,
      effects: { response: { status: 429, retryAfter: 40 } },
    },
  ]);
  told.length = 0;
  await list();
  ok(told.includes("The platform is busy: waiting 40 s"), told.join());
  told.length = 0;
  await list();
  ok(!told.some((line) => line.includes("busy")), told.join());
});
