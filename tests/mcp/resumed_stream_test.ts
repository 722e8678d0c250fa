import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { ReplayEvents } from "../../src/interfaces/mcp/http/legacy_sessions.ts";
import { serveHttp } from "../../src/interfaces/mcp/http/serve_http.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { World } from "./support/world.ts";

const none = { token: undefined, hosts: [], origins: [] };

/** A session of a 2025 revision that is spoken to without the SDK's client. */
async function rawSession(url: string, revision: string) {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
  };
  const post = (body: object) => fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const begun = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await begun.text();
  headers["mcp-session-id"] = begun.headers.get("mcp-session-id")!;
  headers["mcp-protocol-version"] = revision;
  const call = (name: string, args: object) =>
    post({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: args } });
  const resume = (id: string) => fetch(url, { headers: { ...headers, "last-event-id": id } });
  return { call, resume };
}

Deno.test("a client whose stream breaks in the middle of apply_plan reads the result from the last event on", async () => {
  await using world = await World.start();
  const context = world.context();
  await using planner = await Agent.connect(context);
  const plan = await bidPlan(planner, 0.41);
  const server = await serveHttp(context, httpSettings("127.0.0.1:0", none));
  const session = await rawSession(server.url, "2025-11-25");
  const held = world.holdNext("PUT", "/sp/keywords");
  const response = await session.call("apply_plan", plan);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader.read()).value!;
  match(first, /^id: \S+\nretry: 1000\ndata: \n\n/);
  await held.arrived;
  await reader.cancel();
  held.letIn();

  const id = /^id: (\S+)/.exec(first)![1]!;
  const other = await rawSession(server.url, "2025-11-25");
  const foreign = await other.resume(id);
  equal(foreign.status, 400, "an event of another session is not found");
  await foreign.text();
  const rest = await (await session.resume(id)).text();
  match(rest, /"id":2/);
  match(rest, /1 succeeded, 0 failed/);
  const again = await (await session.resume(id)).text();
  equal(again, rest, "what was lost once more is read once more");
  await server.stop();
});

Deno.test("clients of revisions that cannot read an event without data get none", async () => {
  await using world = await World.start();
  const server = await serveHttp(world.context(), httpSettings("127.0.0.1:0", none));
  const { call } = await rawSession(server.url, "2025-06-18");
  match(await (await call("api_notes", {})).text(), /^event: message\nid: \S+\ndata: \{/);
  await server.stop();
});

Deno.test("the events of all sessions are bounded together, and those of a session that ended are gone", async () => {
  const events = new ReplayEvents({ events: 3, characters: 1000 });
  const [one, two] = [events.session(), events.session()];
  const message = (text: string) => ({ jsonrpc: "2.0" as const, method: text });
  const first = await one.storeEvent("a", message("x"));
  for (const text of ["y", "z"]) await one.storeEvent("a", message(text));
  const sent: unknown[] = [];
  const send = (_id: string, { method }: { method?: string }) => Promise.resolve(void sent.push(method));
  await one.replayEventsAfter(first, { send: send as never });
  deepEqual(sent, ["y", "z"]);
  await two.storeEvent("a", message("other"));
  equal(events.size, 3);
  await rejects(one.replayEventsAfter(first, { send: send as never }), /not kept/);
  await two.storeEvent("a", message("long".repeat(1000)));
  equal(events.size, 1, "the newest is kept whatever its size");
  two.close();
  equal(events.size, 0);
  ok(await one.getStreamIdForEventId(first) === undefined);
});
