import { deepEqual, equal, ok } from "../support/assert.ts";
import { mayUse } from "../../src/interfaces/mcp/access/tool_scopes.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { everyTool, toolList } from "../../src/interfaces/mcp/server/tool_list.ts";
import { toolsetNames } from "../../src/interfaces/mcp/context/toolsets.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";

const APPLIES = ["apply_plan"];

Deno.test("the scope and the hints of a tool are those of its effect, and a read-only server has what reads alone", async () => {
  await using world = new ReportWorld();
  const store = new StoreAccess(world.store);
  const saving = { saveFolder: `${world.folder}/saved` };
  const partsOf = (readOnly: boolean) => ({
    ...world.context({ settings: { ...saving, readOnly }, store: true }),
    store,
  });
  const all = everyTool(partsOf(false));
  ok(all.length > 30);
  deepEqual(
    everyTool(partsOf(true)).map(({ name }) => name),
    all.filter(({ effect }) => effect === "read").map(({ name }) => name),
  );
  deepEqual(all.filter(({ effect }) => effect === "send").map(({ name }) => name), APPLIES);
  const holderOf = (scope: string) => ({ may: (wanted: string) => wanted === scope }) as never;
  for (const tool of all) {
    const scopes = ["read", "plan", "apply", "approve"].filter((scope) => mayUse(holderOf(scope), tool));
    deepEqual(scopes, [{ read: "read", store: "plan", plan: "plan", send: "apply" }[tool.effect]], tool.name);
  }
  await using agent = await Agent.connect(
    world.context({ settings: { ...saving, toolsets: toolsetNames() }, store: true }),
  );
  const effects = new Map(all.map(({ name, effect }) => [name, effect]));
  const { tools } = await agent.client.listTools();
  equal(tools.length, all.length);
  for (const { name, annotations } of tools) {
    equal(annotations?.readOnlyHint, effects.get(name) === "read", name);
    equal(annotations?.destructiveHint ?? false, effects.get(name) === "send", name);
  }
});

Deno.test("every tool is in a set or in every server, and the sets together are all of them", async () => {
  await using world = new ReportWorld();
  const store = new StoreAccess(world.store);
  const context = (toolsets: ReturnType<typeof toolsetNames>) => ({
    ...world.context({ settings: { saveFolder: `${world.folder}/saved`, toolsets }, store: true }),
    store,
  });
  const names = (toolsets: ReturnType<typeof toolsetNames>): string[] =>
    toolList(context(toolsets)).map(({ name }) => name).sort();
  deepEqual(names(toolsetNames()), everyTool(context([])).map(({ name }) => name).sort());
  deepEqual(names([]), ["api_notes", "list_profiles"]);
  for (const set of toolsetNames()) ok(names([set]).length > 2, set);
});

Deno.test("a server limited to some profiles reads no store that may hold others; a tenant has its own", async () => {
  await using world = new ReportWorld();
  const named = (settings: Parameters<typeof world.context>[0]) =>
    everyTool(world.context(settings)).map(({ name }) => name)
      .filter((name) => name === "query_reports" || name === "report_coverage");
  deepEqual(named({ store: true }), ["query_reports", "report_coverage"]);
  deepEqual(named({ settings: { profiles: ["CA"] }, store: true }), []);
  deepEqual(named({ settings: { profiles: ["CA"], tenant: "a" }, store: true }), [
    "query_reports",
    "report_coverage",
  ]);
  await using agent = await Agent.connect(world.context({ settings: { profiles: ["CA"] }, store: true }));
  for (const from of [{ from: "sp_campaigns" }, { sql: "SELECT * FROM sp_campaigns" }]) {
    const { text, isError } = await agent.call("query_result", from);
    ok(isError && /this server is limited to some profiles/.test(text), text);
  }
});
