import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { mcpHttpHandler } from "../../src/interfaces/mcp/http/mcp_http_handler.ts";
import type { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { TaskList } from "../../src/interfaces/mcp/calls/tasks.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { World } from "./support/world.ts";

const TASKS = "io.modelcontextprotocol/tasks";
/** A client that is answered at once, so that no test waits for real time. */
const TIMEOUT = 0.05;

/** Requests of the current revision, by a client that knows tasks or does not. */
function client(context: McpContext, capabilities: object = { extensions: { [TASKS]: {} } }) {
  const handler = mcpHttpHandler(context, httpSettings("3911", { token: undefined, hosts: [], origins: [] }));
  const request = async (method: string, params: Record<string, unknown>) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      timeout: TIMEOUT,
    };
    const name = params["name"] ?? params["taskId"];
    const response = await handler.fetch(
      new Request("http://127.0.0.1:3911/mcp", {
        method: "POST",
        headers: {
          "host": "127.0.0.1:3911",
          "content-type": "application/json",
          "accept": "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(name === undefined ? {} : { "mcp-name": String(name) }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
      }),
    );
    const text = await response.text();
    const json = text.startsWith("{")
      ? text
      : text.split("\n").findLast((line) => line.startsWith("data: "))!.slice(6);
    return JSON.parse(json) as {
      result?: Record<string, unknown>;
      error?: { code: number; message: string };
    };
  };
  const call = async (name: string, args: object = {}) => {
    const { result, error } = await request("tools/call", { name, arguments: args });
    ok(result !== undefined, error?.message);
    return result;
  };
  return { request, call, close: () => handler.close() };
}

Deno.test("a plan that takes long is applied as a task, and its result is read by the task's id", async () => {
  await using world = await World.start();
  const context = world.context();
  await using planner = await Agent.connect(context);
  const plan = await bidPlan(planner, 0.81);
  const { request, call, close } = client(context);
  const { result: discovered } = await request("server/discover", {});
  ok(TASKS in (discovered?.["capabilities"] as { extensions: object }).extensions);
  const held = world.holdNext("PUT", "/sp/keywords");
  const created = await call("apply_plan", plan);
  await held.arrived;
  deepEqual([created["resultType"], created["status"]], ["task", "working"]);
  for (const field of ["ttlMs", "pollIntervalMs"]) ok(Number.isInteger(created[field]), field);
  ok(!("content" in created) && !("task" in created));
  const { taskId } = created;
  const { result: working } = await request("tasks/get", { taskId });
  deepEqual([working?.["resultType"], working?.["status"], working?.["taskId"]], [
    "complete",
    "working",
    taskId,
  ]);
  ok(!("result" in working!));
  held.letIn();
  let task: Record<string, unknown> = {};
  while (task["status"] !== "completed") {
    task = (await request("tasks/get", { taskId })).result!;
    await new Promise((done) => setTimeout(done, 5));
  }
  const result = task["result"] as { content: { text: string }[]; structuredContent: { ok: boolean } };
  equal(result.structuredContent.ok, true);
  match(result.content[0]!.text, /1 succeeded, 0 failed/);
  equal(world.writes().length, 1);
  await close();
});

Deno.test("a task that is cancelled ends its work, and stays cancelled", async () => {
  await using world = await World.start();
  const context = world.context();
  const { request, call, close } = client(context);
  const held = world.holdNext("POST", "/sp/keywords/list");
  const { taskId, status } = await call("list_entities", { market: "US", entity: "sp_keywords" });
  equal(status, "working");
  await held.arrived;
  for (let time = 0; time < 2; time++) {
    deepEqual((await request("tasks/cancel", { taskId })).result?.["resultType"], "complete");
    const { result } = await request("tasks/get", { taskId });
    deepEqual([result?.["status"], "result" in result!], ["cancelled", false]);
  }
  held.letIn();
  await close();
});

Deno.test("work that is quick is answered at once, and clients that do not know tasks get none", async () => {
  await using world = await World.start();
  const context = world.context();
  const knowing = client(context);
  equal((await knowing.call("api_notes"))["resultType"], "complete");
  const plain = client(context, {});
  const held = world.holdNext("POST", "/sp/keywords/list");
  const answer = await plain.call("list_entities", { market: "US", entity: "sp_keywords" });
  equal(answer["resultType"], "complete");
  match(JSON.stringify(answer["content"]), /repeat the same call/);
  held.letIn();
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    equal((await plain.request(method, { taskId: "x" })).error?.code, -32021, method);
    const unknown = await knowing.request(method, { taskId: "x" });
    deepEqual(
      [unknown.error?.code, /not one of yours/.test(unknown.error?.message ?? "")],
      [-32602, true],
      method,
    );
  }
  for (const gone of ["tasks/result", "tasks/list"]) {
    equal((await knowing.request(gone, { taskId: "x" })).error?.code, -32601, gone);
  }
  await knowing.close();
  await plain.close();
  await context.stop();
});

Deno.test("a client that can ask a person is asked, and no task stands in between", async () => {
  await using world = await World.start();
  const context = world.context();
  await using planner = await Agent.connect(context);
  const plan = await bidPlan(planner, 0.82);
  const { call, close } = client(context, { elicitation: { form: {} }, extensions: { [TASKS]: {} } });
  equal((await call("apply_plan", plan))["resultType"], "input_required");
  deepEqual(world.writes(), []);
  await close();
});

Deno.test("a task is for whoever began it, is kept for an hour, and there are 64 at most", async () => {
  let now = 0;
  const tasks = new TaskList(() => now);
  let stopped = 0;
  const work = () => ({
    answer: new Promise<never>(() => {}),
    report: () => Promise.resolve(),
    stop: () => void stopped++,
  });
  const { taskId } = tasks.add(work(), "alice")!;
  equal(tasks.get(taskId, "bob"), undefined);
  equal(tasks.cancel(taskId, "bob"), false);
  equal(tasks.get(taskId, "alice")?.status, "working");
  for (let count = 1; count < 64; count++) ok(tasks.add(work(), "alice") !== undefined);
  equal(tasks.add(work(), "alice"), undefined, "all of them are under way");
  now = 3_600_001;
  equal(tasks.get(taskId, "alice"), undefined);
  equal(stopped, 64);
  const done = { ...work(), answer: Promise.resolve({ content: [] }) };
  for (let count = 0; count < 70; count++) {
    ok(tasks.add(done, "alice") !== undefined, "those that are done make room");
    await Promise.resolve();
  }
  equal(tasks.size, 64);
  tasks.stop();
});
