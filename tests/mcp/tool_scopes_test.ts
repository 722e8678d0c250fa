import { deepEqual, equal } from "../support/assert.ts";
import { TOOL_SCOPES } from "../../src/interfaces/mcp/access/tool_scopes.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { toolList } from "../../src/interfaces/mcp/server/tool_list.ts";
import { toolsetNames } from "../../src/interfaces/mcp/context/toolsets.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";

Deno.test("every tool has a scope, and those that only read are the tools of a read-only server", async () => {
  await using world = new ReportWorld();
  const settings = { saveFolder: `${world.folder}/saved` };
  const store = new StoreAccess(world.store);
  const contextOf = (toolsets: ReturnType<typeof toolsetNames> | undefined, readOnly: boolean) =>
    world.context({ settings: { ...settings, toolsets, readOnly }, store: true });
  const names = new Set<string>();
  for (const toolsets of [undefined, toolsetNames()]) {
    for (const { name } of toolList({ ...contextOf(toolsets, false), store })) names.add(name);
  }
  deepEqual([...names].sort(), Object.keys(TOOL_SCOPES).sort());
  const reading = [undefined, toolsetNames()].flatMap((toolsets) =>
    toolList({ ...contextOf(toolsets, true), store }).map(({ name }) => name)
  );
  const readers = Object.entries(TOOL_SCOPES).filter(([, scope]) => scope === "read").map(([name]) => name);
  deepEqual([...new Set(reading)].sort(), readers.sort());
});

Deno.test("tools say that they change the account exactly where they need the scope apply", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(
    world.context({ settings: { toolsets: toolsetNames() }, store: true }),
  );
  const { tools } = await agent.client.listTools();
  for (const { name, annotations } of tools) {
    equal(annotations?.destructiveHint ?? false, TOOL_SCOPES[name] === "apply", name);
    equal(annotations?.readOnlyHint ?? false, TOOL_SCOPES[name] === "read", name);
  }
});
