import { deepEqual, equal, ok } from "../support/assert.ts";
import { connect } from "../../src/interfaces/mcp/connect.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { Agent } from "./support/agent.ts";
import { serverCommand } from "./support/server_process.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

const POLICY = `version: 1
rules:
  - name: no-raise-above-target
    when: change.op == 'update' && after.bid > before.bid && has(figures.acos30d) && figures.acos30d > 0.01
    level: deny
    message: its ACOS is above the target
`;

long();
Deno.test("a server without a store judges by the figures that its own bid tools fetched", async () => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  // The real connection keeps the real time, so the platform must too.
  world.emulator.clock.set(new Date().toISOString());
  const policy = `${world.folder}/policy.yaml`;
  await Deno.writeTextFile(policy, POLICY);
  const { env } = await serverCommand(world);
  const settings = await readSettings(["--policy", policy], env);
  equal(settings.store, undefined);
  const io = { env, log: (line: string): void => void world.log.push(line) };
  const now = (): number => world.emulator.clock.now();
  const context = new McpContext({
    settings,
    now,
    connect: async (own) => (await connect(settings, own, io)).ads,
  });
  const agent = await Agent.connect(context);
  try {
    const planned = await agent.call("plan_bids", { market: "US", change: "+8%", best: 10, max: 3 });
    equal(planned.isError, false, planned.text);
    // Without figures the rule would not apply, and the raises would be planned.
    // Up to ten: of the best keywords of this day some may stand at the highest bid already.
    const { denied, ...others } = planned.data.left_out_counts as Record<string, number>;
    ok(denied !== undefined && denied >= 5, JSON.stringify(planned.data.left_out_counts));
    deepEqual(others, {});
    deepEqual(planned.data.changes, []);
    equal(world.writes().length, 0);
  } finally {
    await agent.client.close();
    await context.stop();
  }
});
