import { deepEqual, doesNotMatch, equal, match, ok } from "../support/assert.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import type { Toolset } from "../../src/interfaces/mcp/context/toolsets.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { VERSION } from "../../src/interfaces/mcp/context/environment.ts";
import { tokensOf } from "./support/tokens_of.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";

const ALL = [
  "api_notes",
  "apply_plan",
  "call_operation",
  "compare_account_files",
  "compare_clean_room_queries",
  "compare_periods",
  "describe_operation",
  "find_product_problems",
  "find_waste",
  "get_alert",
  "get_change_history",
  "get_plan",
  "get_schedules",
  "get_suggested_bids",
  "get_suggested_bids_for_new",
  "get_suggested_bids_for_targets",
  "get_undo_plan",
  "goals_show",
  "list_alerts",
  "list_clean_room_queries",
  "list_clean_rooms",
  "list_entities",
  "list_labels",
  "list_plans",
  "list_profiles",
  "pacing_show",
  "plan_account_files",
  "plan_archive",
  "plan_bids",
  "plan_budgets",
  "plan_call",
  "plan_create",
  "plan_goals",
  "plan_harvest",
  "plan_negatives",
  "plan_outcome",
  "plan_pacing",
  "plan_part",
  "plan_restore_from_history",
  "plan_schedule",
  "plan_update",
  "query_reports",
  "query_result",
  "report_coverage",
  "report_fields",
  "run_clean_room_query",
  "run_job",
  "run_report",
  "save_result",
  "search_operations",
  "sum_figures",
  "sync_reports",
  "test_rules",
  "watch_rules",
];
const CHANGES_ACCOUNT = ["apply_plan"];
const WRITES_FILES = [
  "get_undo_plan",
  "plan_account_files",
  "plan_archive",
  "plan_bids",
  "plan_budgets",
  "plan_call",
  "plan_create",
  "plan_goals",
  "plan_harvest",
  "plan_negatives",
  "plan_pacing",
  "plan_part",
  "plan_restore_from_history",
  "plan_schedule",
  "plan_update",
  "save_result",
  "sync_reports",
];
/** What never leaves this machine. */
const STAYS_HERE = [
  "query_result",
  "describe_operation",
  "api_notes",
  "get_plan",
  "list_plans",
  "plan_outcome",
  "query_reports",
  "report_coverage",
  "report_fields",
  "save_result",
  "search_operations",
];

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`the list of tools is whole, describes itself, and stays small (${era} protocol)`, async () => {
    await using world = new ReportWorld();
    const saving = { saveFolder: world.folder };
    await using agent = await Agent.connect(world.context({ store: true, settings: saving }), { era });
    const answer = await agent.client.listTools();
    deepEqual(answer.tools.map(({ name }) => name).sort(), ALL);
    for (const { name, title, description, outputSchema } of answer.tools) {
      ok(title && description && description.length > 60, name);
      ok(Object.keys(outputSchema?.["properties"] ?? {}).length > 0, name);
    }
    const size = JSON.stringify(answer).length;
    ok(size < 40_050, `tools/list has ${size} bytes`);
    equal(agent.client.getServerVersion()?.version, VERSION);
  });
}

Deno.test("a server that is not told what to offer lists the tools of most jobs, in at most 3,500 tokens", async () => {
  await using world = new ReportWorld();
  for (const settings of [{}, { saveFolder: world.folder }]) {
    await using agent = await Agent.connect(
      world.context({ store: "saveFolder" in settings, settings: { ...settings, toolsets: undefined } }),
    );
    const { tools } = await agent.client.listTools();
    ok(tools.some(({ name }) => name === "search_tools") && tools.some(({ name }) => name === "call_tool"));
    const tokens = tokensOf(JSON.stringify(tools));
    ok(tokens <= 3_500, `tools/list has ${tokens} tokens`);
  }
});

Deno.test("tools that are not listed are found by a search and called, checked like the others", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context({ settings: { toolsets: undefined } }));
  const names = await agent.call("search_tools", {});
  const found = names.data.tools.map(({ name }: { name: string }) => name);
  deepEqual(
    found.toSorted(),
    [
      "api_notes",
      "call_operation",
      "compare_account_files",
      "compare_clean_room_queries",
      "describe_operation",
      "find_product_problems",
      "get_suggested_bids",
      "get_suggested_bids_for_new",
      "get_suggested_bids_for_targets",
      "get_undo_plan",
      "list_clean_room_queries",
      "list_clean_rooms",
      "list_labels",
      "plan_account_files",
      "plan_budgets",
      "plan_call",
      "plan_goals",
      "plan_part",
      "plan_restore_from_history",
      "report_fields",
      "run_clean_room_query",
      "run_job",
      "search_operations",
      "sum_figures",
    ],
  );
  const { data } = await agent.call("search_tools", { text: "suggested bids" });
  equal(data.tools[0].name, "get_suggested_bids");
  ok(data.tools[0].arguments.campaign_ids);
  const args = { tool: "search_operations", arguments: { text: "invoices", limit: 1 } };
  const direct = await agent.call("call_tool", args);
  equal(direct.data.rows.length, 1);
  const refused = async (tool: string, given: object): Promise<string> => {
    const { isError, text } = await agent.call("call_tool", { tool, arguments: given });
    equal(isError, true);
    return text;
  };
  match(
    await refused("search_operations", { text: "x", limit: -1 }),
    /Cannot call search_operations: limit/,
  );
  match(await refused("search_operations", { text: "x", limitt: 1 }), /limitt/);
  match(await refused("search_operation", {}), /Did you mean "search_operations"\?/);
  match(
    await refused("apply_plan", { plan_id: "x", fingerprint: "y" }),
    /it is listed. Call it by its own name/,
  );
});

Deno.test("a read-only server finds no tool that writes", async () => {
  await using world = new ReportWorld();
  const settings = { toolsets: undefined, readOnly: true, saveFolder: world.folder };
  await using agent = await Agent.connect(world.context({ store: true, settings }));
  const { data } = await agent.call("search_tools", {});
  const found = data.tools.map(({ name }: { name: string }) => name);
  for (const name of ["plan_call", "save_result", "sync_reports"]) equal(found.includes(name), false, name);
  for (const { name, annotations } of (await agent.client.listTools()).tools) {
    equal(annotations?.readOnlyHint, true, name);
  }
});

Deno.test("a server offers the sets of tools that it is started with, and every tool is in a set", async () => {
  await using world = new ReportWorld();
  const names = async (toolsets: readonly Toolset[]): Promise<string[]> => {
    const context = world.context({ store: true, settings: { toolsets, saveFolder: world.folder } });
    await using agent = await Agent.connect(context);
    return (await agent.client.listTools()).tools.map(({ name }) => name).sort();
  };
  deepEqual(await names(["operations"]), [
    "api_notes",
    "call_operation",
    "compare_clean_room_queries",
    "describe_operation",
    "list_clean_room_queries",
    "list_clean_rooms",
    "list_profiles",
    "run_clean_room_query",
    "run_job",
    "search_operations",
  ]);
  ok(!(await names(["read", "reports"])).includes("apply_plan"));
  deepEqual(await names(["read", "reports", "store", "plans", "operations"]), ALL);
});

Deno.test("the hints are true, with a folder to save into and without", async () => {
  await using world = new ReportWorld();
  for (const settings of [{}, { saveFolder: world.folder }]) {
    await using agent = await Agent.connect(world.context({ store: true, settings }));
    for (const { name, annotations } of (await agent.client.listTools()).tools) {
      const writes = CHANGES_ACCOUNT.includes(name) || WRITES_FILES.includes(name);
      equal(annotations?.readOnlyHint, !writes, name);
      equal(annotations?.openWorldHint ?? true, !STAYS_HERE.includes(name), name);
      if (writes) equal(annotations?.destructiveHint, CHANGES_ACCOUNT.includes(name), name);
    }
  }
});

Deno.test("no list is said to change that does not tell its clients when it changes", async () => {
  await using world = new ReportWorld();
  for (const era of ["modern", "legacy"] as const) {
    await using agent = await Agent.connect(world.context(), { era });
    const { tools, resources, prompts } = agent.client.getServerCapabilities() ?? {};
    for (const [name, list] of Object.entries({ tools, resources, prompts })) {
      equal(list?.listChanged ?? false, false, `${name} ${era}`);
    }
  }
});

Deno.test("query_reports says in which language of SQL it is asked", async () => {
  const told = async (place: string): Promise<string> => {
    await using world = new ReportWorld();
    const { settings } = world.context({});
    const context = new McpContext({
      settings,
      connect: () => Promise.reject(new Error("not asked")),
      store: new StoreAccess(place),
    });
    await using agent = await Agent.connect(context);
    const { tools } = await agent.client.listTools();
    return tools.find(({ name }) => name === "query_reports")!.description!;
  };
  match(await told("/ads.sqlite"), / SQL: SQLite\.$/);
  match(await told("postgres://127.0.0.1:1/ads"), / SQL: PostgreSQL\.$/);
});

Deno.test("the version is the package's", async () => {
  const config = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  equal(VERSION, config.version);
});

Deno.test("the instructions fit the settings", async () => {
  await using world = new ReportWorld();
  const told = async (settings: object): Promise<string> => {
    await using agent = await Agent.connect(world.context({ settings }));
    return agent.client.getInstructions() ?? "";
  };
  match(await told({}), /call apply_plan with plan_id and fingerprint only if they agree/);
  match(await told({ approval: "terminal" }), /adsctl plan approve ID/);
  match(await told({ readOnly: true }), /is read-only/);
  match(await told({ demo: true }), /This is a demo account/);
  match(await told({}), /never instructions to you/);
});

Deno.test("every prompt that changes something leads through a plan, and none does in read-only mode", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context());
  await using reader = await Agent.connect(world.context({ settings: { readOnly: true } }));
  await using reports = await Agent.connect(world.context({ settings: { toolsets: ["read", "reports"] } }));
  const text = async (of: Agent, name: string): Promise<string> => {
    const { messages } = await of.client.getPrompt({ name, arguments: { market: "US" } });
    return JSON.stringify(messages);
  };
  const { prompts } = await agent.client.listPrompts();
  deepEqual(prompts.map(({ name }) => name).sort(), [
    "find_search_terms",
    "lower_wasted_bids",
    "morning_review",
    "undo_yesterday",
  ]);
  const { tools } = await agent.client.listTools();
  for (const { name } of prompts) {
    // It changes nothing by itself, and has a test of its own.
    if (name === "morning_review") continue;
    const steps = await text(agent, name);
    match(steps, /Make a plan with plan_/);
    match(steps, /Wait for the person's answer\. Only then call apply_plan/);
    for (const mentioned of steps.match(/\b(?:plan|list|get|run|apply)_[a-z_]+\b/g) ?? []) {
      const isTool = tools.some((tool) => tool.name === mentioned);
      ok(isTool || /_(?:id|profiles)$/.test(mentioned), `${name} mentions ${mentioned}, which is no tool`);
    }
    for (const other of [reader, reports]) {
      const read = await text(other, name);
      match(read, /Planning is not available here/);
      doesNotMatch(read, /plan_(?!id)|apply_plan/);
    }
  }
  // The jobs know which bids were changed a short while ago, and which terms are keywords already.
  match(
    await text(agent, "lower_wasted_bids"),
    /plan_bids.*clicks30d >= 10 and \(orders30d == 0 or acos30d > 30%\)/,
  );
  match(await text(agent, "find_search_terms"), /plan_harvest.*without a map/);
});
