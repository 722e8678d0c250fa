import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { LegacySessions } from "../../src/interfaces/mcp/http/legacy_sessions.ts";
import { buildServer, instructions } from "../../src/interfaces/mcp/server/build_server.ts";
import { everyTool, toolList } from "../../src/interfaces/mcp/server/tool_list.ts";
import { LOCAL } from "../../src/interfaces/mcp/access/identity.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";
import { tokensOf } from "./support/tokens_of.ts";
import { World } from "./support/world.ts";

type Schema = { readonly [name: string]: unknown };

/** Every schema inside of a schema, with its place. */
function* schemasIn(schema: Schema, place = ""): Generator<{ place: string; schema: Schema }> {
  yield { place, schema };
  for (const [name, part] of Object.entries(schema["properties"] ?? {})) {
    yield* schemasIn(part as Schema, `${place}.${name}`);
  }
  for (const key of ["items", "additionalProperties"]) {
    const part = schema[key];
    if (typeof part === "object" && part !== null) yield* schemasIn(part as Schema, `${place}.${key}`);
  }
  for (const part of (schema["anyOf"] ?? []) as Schema[]) yield* schemasIn(part, `${place}.anyOf`);
}

/** Published restrictions of a family of clients, as a check of one tool. */
interface Family {
  /** Longest name of server and tool together, and of the tool alone. */
  readonly names?: { readonly whole: number; readonly tool: number };
  /** Longest description. */
  readonly description: number;
  /** Most tools of all servers together. */
  readonly tools: number;
  /** What is refused in a schema. */
  readonly refuses: (schema: Schema, place: string) => string | undefined;
}

/** True for an object whose properties are not named. */
function isBare(schema: Schema): boolean {
  return schema["type"] === "object" && schema["properties"] === undefined;
}

const isTop = (place: string): boolean => place === "";
const KEYWORDS = ["oneOf", "allOf", "not", "$ref", "$schema", "const", "if"];

const FAMILIES: Readonly<Record<string, Family>> = {
  "one that refuses a whole server for one schema": {
    names: { whole: 128, tool: 64 },
    description: 2048,
    tools: 128,
    refuses: (schema, place) =>
      isTop(place) && (schema["type"] !== "object" || "anyOf" in schema) ? "top" : undefined,
  },
  "one that converts schemas for its model": {
    names: { whole: 64, tool: 64 },
    description: 1024,
    tools: 128,
    refuses: (schema, place) =>
      place.endsWith(".anyOf") && schema["type"] === undefined && schema["enum"] === undefined
        ? "a member of anyOf without a type"
        : "format" in schema && !["enum", "date-time"].includes(String(schema["format"]))
        ? "format"
        : Array.isArray(schema["type"])
        ? "several types"
        : schema["type"] === "array" && schema["items"] === undefined
        ? "a list of nothing"
        : undefined,
  },
  "one with a strict mode": {
    names: { whole: 64, tool: 64 },
    description: 1024,
    tools: 128,
    refuses: (schema) => KEYWORDS.find((key) => key in schema) ?? ("format" in schema ? "format" : undefined),
  },
  "one with room for 40 tools and 60 characters": {
    names: { whole: 60, tool: 60 },
    description: 1024,
    tools: 40,
    refuses: () => undefined,
  },
  "one that reads the draft of 2020": {
    description: 2048,
    tools: 50,
    refuses: (schema) =>
      ["exclusiveMinimum", "exclusiveMaximum"].find((key) => typeof schema[key] === "boolean"),
  },
  "one that cuts definitions at 47 KB": { description: 2048, tools: 100, refuses: () => undefined },
};

Deno.test("the tools meet the published restrictions of each family of clients", async (t) => {
  await using world = new ReportWorld();
  const store = new StoreAccess(world.store);
  const context = (toolsets: [] | undefined) => ({
    ...world.context({ settings: { saveFolder: `${world.folder}/saved`, toolsets }, store: true }),
    store,
  });
  const all = everyTool(context([])).map((tool) => tool.definition());
  const listed = toolList(context(undefined)).map((tool) => tool.definition());
  ok(JSON.stringify(all).length < 47_000);
  for (const [family, { names, description: most, tools, refuses }] of Object.entries(FAMILIES)) {
    await t.step(family, () => {
      ok(listed.length <= tools / 2, "there is room for other servers");
      for (const { name, description = "", inputSchema } of [...all, ...listed]) {
        ok(names === undefined || `mcp__platform-ads__${name}`.length <= names.whole, name);
        ok(names === undefined || name.length <= names.tool, name);
        ok(description.length <= most, name);
        for (const { place, schema } of schemasIn(inputSchema as Schema)) {
          equal(refuses(schema, place), undefined, `${name}${place} ${JSON.stringify(schema)}`);
        }
      }
    });
  }
  await t.step("every object of a listed tool has properties", () => {
    for (const { name, inputSchema } of listed) {
      const bare = [...schemasIn(inputSchema as Schema)].filter(({ schema }) => isBare(schema));
      deepEqual(bare.map(({ place }) => place), [], name);
    }
  });
  await t.step("instructions have at most 2,048 characters", () => {
    const { settings } = context(undefined);
    for (const approval of [undefined, "terminal", "console"] as const) {
      for (const readOnly of [false, true]) {
        const text = instructions({ ...settings, approval, readOnly, demo: true }, LOCAL);
        ok(text.length <= 2048, String(text.length));
      }
    }
  });
});

/** Calls of an agent's first hour, each with what the answer is used for. */
const FIRST_HOUR: readonly (readonly [string, Record<string, unknown>])[] = [
  ["list_profiles", {}],
  ["list_entities", { market: "US", entity: "sp_campaigns", limit: 15 }],
  ["find_waste", { market: "US", min_clicks: 8 }],
  ["plan_negatives", { market: "US", min_clicks: 12 }],
  ["plan_bids", { market: "US", change: "+5%", best: 8 }],
  ["search_tools", { text: "out of stock" }],
  ["search_tools", { text: "negatives" }],
  ["call_tool", { tool: "plan_budgets", arguments: { market: "US" } }],
  ["call_tool", { tool: "find_product_problems", arguments: { market: "US" } }],
  ["list_plans", {}],
];
/** What a next call needs of an answer: ids, fingerprints, addresses and names of tools. */
const HANDLES =
  /platform-ads:\/\/[\w/-]+|\b\d{8}-\d{6}-[0-9a-f]{8}\b|\b[0-9a-f]{64}\b|(?<![\d.])\d{12,20}(?![\d.])/g;

function handlesIn(text: string): Set<string> {
  return new Set(text.match(HANDLES));
}

Deno.test("text and data each have all that the next call needs, and neither is long", async (t) => {
  await using world = await World.start({ quirks: { reportSeconds: 0 } });
  const context = world.context({ rows: "data", toolsets: undefined }, {
    now: () => world.emulator.clock.now(),
  });
  await using agent = await Agent.connect(context);
  for (const [name, args] of FIRST_HOUR) {
    await t.step(`${name} ${JSON.stringify(args)}`, async () => {
      const { text, data, isError } = await agent.call(name, args);
      equal(isError, false, text);
      // The first of what a job has judged, beside its plan.
      const { pressure: _, waste: __, ...whole } = data;
      const json = JSON.stringify(whole);
      const lists = [data.rows, data.changes].flatMap((list) => Array.isArray(list) ? list.length : []);
      if (lists.every((length) => length <= 20)) {
        deepEqual([...handlesIn(json).difference(handlesIn(text))], [], "in the data alone");
      }
      if (data.plan_id !== undefined) ok(text.includes(data.next) && /apply_plan/.test(data.next));
      deepEqual([...handlesIn(text).difference(handlesIn(json))], [], "in the text alone");
      for (const { name: tool, required = [] } of data.tools ?? []) {
        ok(text.includes(tool), tool);
        for (const argument of required) ok(text.includes(`"${argument}": `), `${tool} ${argument}`);
      }
      ok(tokensOf(text) < 10_000 && tokensOf(json) < 10_000, name);
    });
  }
  await context.stop();
});

Deno.test("a plan of 20 new entities is whole in the text, a line for each", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context({ rows: "data" }));
  const { data: { rows } } = await agent.call("list_entities", {
    market: "US",
    entity: "sp_ad_groups",
    states: ["ENABLED"],
    limit: 1,
  });
  const [{ campaignId, adGroupId }] = rows;
  const items = Array.from({ length: 20 }, (_, at) => ({
    ...{ campaignId, adGroupId, matchType: "NEGATIVE_EXACT", state: "ENABLED" },
    keywordText: `unwanted ${at}`,
  }));
  const { text, data } = await agent.call("plan_create", {
    market: "US",
    entity: "sp_negative_keywords",
    items,
  });
  equal(data.total_changes, 20);
  for (const { keywordText } of items) {
    equal(text.split("\n").filter((line) => line.includes(`"keywordText":"${keywordText}"`)).length, 1);
  }
  ok(!text.includes("more rows"));
});

Deno.test("clients of each revision in sessions initialize, list tools and read rows", async (t) => {
  await using world = await World.start();
  const context = world.context({ rows: "data", toolsets: undefined });
  const sessions = new LegacySessions(() => buildServer(context), { maxBytes: 1_000_000, now: Date.now });
  for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    await t.step(revision, async () => {
      let session: string | undefined;
      const send = async (body: Record<string, unknown>): Promise<Record<string, unknown>> => {
        const response = await sessions.fetch(
          new Request("http://127.0.0.1/mcp", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              "accept": "application/json, text/event-stream",
              ...(session === undefined
                ? {}
                : { "mcp-session-id": session, "mcp-protocol-version": revision }),
            },
            body: JSON.stringify({ jsonrpc: "2.0", ...body }),
          }),
        );
        session ??= response.headers.get("mcp-session-id") ?? undefined;
        const text = await response.text();
        const line = text.split("\n").findLast((line) => line.startsWith("data: {"));
        return text === "" ? {} : JSON.parse(line === undefined ? text : line.slice("data: ".length));
      };
      const clientInfo = { name: "a", version: "1" };
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      const begun = await send({ id: 1, method: "initialize", params }) as {
        result: { protocolVersion: string };
      };
      equal(begun.result.protocolVersion, revision);
      await send({ method: "notifications/initialized" });
      const list = await send({ id: 2, method: "tools/list" }) as { result: { tools: { name: string }[] } };
      ok(list.result.tools.some(({ name }) => name === "apply_plan"));
      const call = (name: string, args: Record<string, unknown>) =>
        send({ id: 3, method: "tools/call", params: { name, arguments: args } }) as Promise<
          { result: { content: { text: string }[]; structuredContent?: unknown; isError?: boolean } }
        >;
      const { result } = await call("list_entities", { market: "US", entity: "sp_keywords", limit: 30 });
      const lines = result.content[0]!.text.split("\n").filter((line) =>
        / \| (?:ENABLED|PAUSED)\b/.test(line)
      );
      equal(lines.length === 30, revision < "2025-06-18", "rows are in the text where there is no data");
      const hidden = await call("plan_budgets", { market: "US" });
      equal(hidden.result.isError, true);
      match(hidden.result.content[0]!.text, /call_tool\(\{"tool": "plan_budgets"/);
    });
  }
  await sessions.close();
});
