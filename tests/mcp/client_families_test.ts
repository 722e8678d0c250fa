import { deepEqual, equal, match, ok } from "../support/assert.ts";
import * as fc from "fast-check";
import * as z from "zod";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { LegacySessions } from "../../src/interfaces/mcp/http/legacy_sessions.ts";
import { buildServer } from "../../src/interfaces/mcp/server/build_server.ts";
import { tolerantArguments } from "../../src/interfaces/mcp/calls/tolerant_arguments.ts";
import { everyTool } from "../../src/interfaces/mcp/server/tool_list.ts";
import { toolsetNames } from "../../src/interfaces/mcp/context/toolsets.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

/** Smallest calls of some tools that answer the same when they are made twice. */
const CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  api_notes: {},
  list_profiles: {},
  list_entities: { market: "CA", entity: "sp_campaigns" },
  search_operations: { text: "portfolio" },
  describe_operation: { operation: "portfolios:listPortfolios" },
  list_plans: {},
  report_fields: { text: "acos" },
  get_change_history: { market: "CA" },
  find_waste: { market: "CA" },
  plan_update: { market: "CA", entity: "sp_campaigns", items: [{ campaignId: "1", name: "x" }] },
};
const EMPTY: readonly unknown[] = [null, "", []];

/** A text without what is new in each call; of a failure the first sentence, as any of several parts may fail first. */
function comparable({ text, isError }: { readonly text: string; readonly isError: boolean }): string {
  return (isError ? text.split(". ")[0]! : text).replace(
    /[0-9a-f]{8}-[0-9a-f-]{27,}|\b[0-9a-f]{12,64}\b|\d{8}-[\w-]+/g,
    "ID",
  );
}

Deno.test("a tool answers the same with empty values of optional arguments", async (t) => {
  await using world = await World.start();
  const context = world.context({ toolsets: toolsetNames() });
  await using agent = await Agent.connect(context);
  const tools = new Map(everyTool(context).map((tool) => [tool.name, tool]));
  deepEqual(Object.keys(CALLS).filter((name) => !tools.has(name)), []);
  for (const [name, args] of Object.entries(CALLS)) {
    await t.step(name, async () => {
      const plain = await agent.call(name, args);
      const { properties = {}, required = [] } = tools.get(name)!.inputSchema() as {
        properties?: Record<string, unknown>;
        required?: string[];
      };
      const optional = Object.keys(properties).filter((key) => !required.includes(key) && !(key in args));
      for (const empty of EMPTY) {
        const filled = Object.fromEntries(optional.map((key) => [key, empty]));
        const answer = await agent.call(name, { ...args, ...filled, security_context: { user: "a" } });
        equal(comparable(answer), comparable(plain), JSON.stringify(filled));
      }
    });
  }
});

Deno.test("a campaign is found by ids that come as JSON text", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  const all = await agent.call("list_entities", { market: "CA", entity: "sp_campaigns" });
  const [first] = all.data.rows;
  const args = { market: "CA", entity: "sp_campaigns", ids: `["${first.campaignId}"]`, limit: "1" };
  deepEqual((await agent.call("list_entities", args)).data.rows, [first]);
});

type Schema = Readonly<Record<string, unknown>>;

/** Every tool of a server with a store, as an agent sees it: it refuses a call for a wrong argument, and shows what it read of it. */
async function everyRefusal(
  use: (
    refusal: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>,
    tools: ReadonlyMap<string, Readonly<Record<string, Schema>>>,
  ) => Promise<void>,
): Promise<void> {
  await using world = await World.start();
  const store = new StoreAccess(`${world.folder}/ads.sqlite`);
  const context = world.context({ toolsets: toolsetNames(), saveFolder: world.folder }, { store });
  await using agent = await Agent.connect(context);
  const { tools } = await agent.client.listTools();
  await use(
    async (tool, args) => {
      const { isError, text } = await agent.call(tool, { ...args, nope: 1 });
      ok(isError);
      match(text, /"nope" is not an argument/);
      return text;
    },
    new Map(
      tools.map(({ name, inputSchema }) => [name, { ...inputSchema.properties } as Record<string, Schema>]),
    ),
  );
  equal(world.emulator.requests().length, 0);
}

/** Takes any value, an empty object as well. */
const OPEN = "body";

Deno.test("every optional argument of every tool is unset when it is null, or an empty text, list or object", () =>
  everyRefusal(async (refusal, tools) => {
    let arguments_ = 0;
    ok(tools.size >= 36, `${tools.size} tools`);
    for (const name of tools.keys()) {
      const plain = await refusal(name, {});
      const optional = /, and if wanted (.*)$/.exec(plain)?.[1]?.split(", ") ?? [];
      arguments_ += optional.length;
      for (const empty of [null, "", [], {}]) {
        const own = optional.filter((one) => one !== OPEN || !isEmptyObject(empty));
        const filled = Object.fromEntries(own.map((one) => [one, empty]));
        equal(await refusal(name, filled), plain, `${name}(${JSON.stringify(filled)})`);
      }
    }
    ok(arguments_ > 130, `${arguments_} optional arguments`);
  }));

Deno.test("every list, object, number and switch of every tool may be JSON text", () =>
  everyRefusal(async (refusal, tools) => {
    let texts = 0;
    for (const [name, properties] of tools) {
      const values = fc.record(mapValues(properties, sampleOf), { noNullPrototype: true });
      for (const args of fc.sample(values, { numRuns: 2, seed: 58 })) {
        const asText = mapValues(args, (value) => typeof value === "string" ? value : JSON.stringify(value));
        texts += Object.entries(args).filter(([one, value]) => asText[one] !== value).length;
        equal(await refusal(name, asText), await refusal(name, args), `${name}(${JSON.stringify(asText)})`);
      }
    }
    ok(texts > 100, `${texts} texts`);
  }));

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues<Value, Result>(
  fields: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

/** Made once: the pattern is read anew for each arbitrary. */
const WORD = fc.stringMatching(/^[a-z]{1,6}$/);

/** Values that a schema of an argument takes. */
function sampleOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: choices, items, properties } = schema;
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  if (type === "array") return fc.array(sampleOf((items ?? {}) as Schema), { minLength: 1, maxLength: 3 });
  if (type === "object") {
    return properties === undefined
      ? fc.constant({ a: "b" })
      : fc.record(mapValues(properties as Record<string, Schema>, sampleOf), { noNullPrototype: true });
  }
  if (type === "integer") return fc.integer({ min: 1, max: 9 });
  if (type === "number") return fc.constantFrom(0.25, 0.5);
  if (type === "boolean") return fc.boolean();
  return WORD;
}

/** Shapes of arguments, each with values that it takes. */
const SHAPES: readonly (readonly [z.ZodType, fc.Arbitrary<unknown>])[] = [
  [z.array(z.string()), fc.array(fc.string(), { minLength: 1 })],
  [z.int(), fc.integer()],
  [z.boolean(), fc.boolean()],
  [
    z.record(z.string(), z.unknown()),
    fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.integer(), { noNullPrototype: true }),
  ],
  [
    z.array(z.strictObject({ id: z.string(), bid: z.number().optional() })),
    fc.array(fc.record({ id: fc.string() }, { noNullPrototype: true }), { minLength: 1 }),
  ],
  [
    z.union([z.literal("all"), z.array(z.string())]),
    fc.oneof(fc.constant("all"), fc.array(fc.string(), { minLength: 1 })),
  ],
  [z.string(), fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("[1]", "{}", "null", "7", "true"))],
];
const SHAPED = fc.constantFrom(...SHAPES).chain(([schema, values]) => fc.tuple(fc.constant(schema), values));

Deno.test("arguments are the same as values and as JSON text, and text stays text where text is wanted", () => {
  fc.assert(fc.property(SHAPED, ([schema, value]) => {
    const input = z.strictObject({ value: schema });
    const plain = input.parse(tolerantArguments({ value }, input));
    deepEqual(plain, { value });
    if (typeof value === "string") return;
    const text = JSON.stringify(value);
    deepEqual(input.parse(tolerantArguments({ value: text }, input)), { value });
    deepEqual(input.parse(tolerantArguments(JSON.stringify({ value }), input)), { value });
  }));
});

Deno.test("optional arguments may be null, empty or JSON text inside of lists of objects too", () => {
  const input = z.strictObject({
    map: z.array(z.strictObject({ source: z.string(), bid: z.number().optional() })).default([]),
    best: z.int().min(1).optional(),
    lag: z.int().min(0).optional(),
    query: z.record(z.string(), z.unknown()).optional(),
    body: z.unknown().optional(),
  });
  const given = { map: '[{"source":"a","bid":null}]', best: 0, lag: 0, query: {}, body: {}, toolCallId: "1" };
  deepEqual(input.parse(tolerantArguments(given, input)), { map: [{ source: "a" }], lag: 0, body: {} });
  equal(input.safeParse(tolerantArguments({ source: [] }, input)).success, false);
});

Deno.test("wrong arguments are answered with each mistake and the call that was probably meant", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context({ toolsets: undefined }));
  const answer = await agent.call("list_entities", { markt: "CA", entity: "sp_campaigns", limit: 999 });
  equal(answer.isError, true);
  match(
    answer.text,
    /market is missing; limit takes at most 200; "markt" is not an argument \(did you mean "market"\?\)/,
  );
  const other = await agent.call("search_tools", { query: "out of stock" });
  match(other.text, /"query" is not an argument \(did you mean "text"\?\)/);
  match(answer.text, /Expected list_entities\(\{"market": "CA", "entity": "sp_campaigns", "limit": …\}\)/);
});

Deno.test("a kind without its family may be misspelt", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context());
  match(
    (await agent.call("list_entities", { market: "CA", entity: "keyword" })).text,
    /Did you mean "keywords"/,
  );
});

Deno.test("a tool that is not listed is answered with the way to call it", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context({ toolsets: undefined }));
  const failure = (name: string): Promise<string> =>
    agent.call(name).then(() => "", (error: Error) => error.message);
  const hidden = await agent.call("api_notes");
  equal(hidden.isError, true, "an answer, which models see, and no error of the protocol");
  match(hidden.text, /not listed. Call call_tool\(\{"tool": "api_notes"/);
  match(await failure("list_entitys"), /no such tool. Did you mean "list_entities"\?/);
  match(
    (await agent.call("call_tool", { tool: "list_profiles" })).text,
    /it is listed. Call it by its own name/,
  );
});

Deno.test("no schema or name has what a family of clients refuses", async () => {
  await using world = await World.start();
  const tools = everyTool(world.context());
  ok(tools.length > 20 && tools.length <= 40);
  for (const tool of tools) {
    const { name, description = "", inputSchema } = tool.definition();
    match(name, /^[a-z][a-z0-9_]*$/);
    ok(`mcp__platform-ads__${name}`.length <= 60, name);
    ok(description.length <= 1024, name);
    equal(inputSchema.type, "object");
    ok(inputSchema.properties !== undefined, `${name} has properties`);
    deepEqual(["anyOf", "oneOf", "allOf", "$ref", "$schema"].filter((key) => key in inputSchema), [], name);
    const text = JSON.stringify(inputSchema);
    ok(!/"\$ref"|"format":|"exclusiveM\w+":(?:true|false)/.test(text), name);
  }
});

Deno.test("a lost session is answered with how to begin anew, and initialize with it begins a new one", async () => {
  await using world = await World.start();
  const context = world.context();
  const sessions = new LegacySessions(() => buildServer(context), { maxBytes: 1_000_000, now: Date.now });
  const send = (body: unknown): Promise<Response> =>
    sessions.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "accept": "application/json, text/event-stream",
          "mcp-session-id": "gone",
        },
        body: JSON.stringify(body),
      }),
    );
  const lost = await send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  equal(lost.status, 404);
  match((await lost.json()).error.message, /Send initialize without mcp-session-id/);
  const clientInfo = { name: "a", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const begun = await send({ jsonrpc: "2.0", id: 2, method: "initialize", params });
  equal(begun.status, 200);
  ok(begun.headers.get("mcp-session-id") !== "gone");
  await begun.body?.cancel();
  await sessions.close();
});
