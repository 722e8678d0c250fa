import { equal, ok } from "../support/assert.ts";
import { McpServer } from "@modelcontextprotocol/server";
import { LegacySessions } from "../../src/interfaces/mcp/http/legacy_sessions.ts";
import { buildServer } from "../../src/interfaces/mcp/server/build_server.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { ReportWorld } from "./support/report_world.ts";
import { long } from "../support/long.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

function post(body: unknown, session?: string): Request {
  return new Request("http://127.0.0.1:3911/mcp", {
    method: "POST",
    headers: {
      "host": "127.0.0.1:3911",
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify(body),
  });
}

/** A server with one tool, which answers when it is let go. */
function waitingServer(): { build: () => McpServer; letGo: () => void } {
  const gate = Promise.withResolvers<void>();
  return {
    letGo: () => gate.resolve(),
    build: () => {
      const server = new McpServer({ name: "waiting", version: "1" });
      server.registerTool("wait", { description: "Waits" }, async () => {
        await gate.promise;
        return { content: [{ type: "text", text: "done" }] };
      });
      return server;
    },
  };
}

function call(id: number, session: string): Request {
  return post({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait", arguments: {} } }, session);
}

async function begin(sessions: LegacySessions): Promise<string | null> {
  const response = await sessions.fetch(post(INITIALIZE));
  await response.text();
  return response.headers.get("mcp-session-id");
}

long();
Deno.test("after 10,000 calls that are hung up on at random moments every session is free again", async () => {
  const random = new SeededRandom(20261122);
  const { build, letGo } = waitingServer();
  const sessions = new LegacySessions(build, { maxSessions: 4, maxBytes: 1_000_000, now: Date.now });
  const ids = [await begin(sessions), await begin(sessions), await begin(sessions), await begin(sessions)];
  for (let id = 2; id < 10_002; id++) {
    const response = await sessions.fetch(call(id, ids[id % ids.length]!));
    equal(response.status, 200);
    const moment = random.next();
    const reader = response.body!.getReader();
    if (moment < 0.5) void reader.read();
    if (moment < 0.25) await Promise.resolve();
    await reader.cancel();
  }
  // Four new clients replace the four old ones: nobody is refused, as all of them are idle.
  for (let client = 0; client < 4; client++) {
    ok(await begin(sessions) !== null, `client ${client} got a session`);
  }
  equal(sessions.size, 4);
  letGo();
  await sessions.close();
});

Deno.test("a session whose call was hung up on is not ended in the middle of its next call", async () => {
  const { build, letGo } = waitingServer();
  const sessions = new LegacySessions(build, { maxSessions: 1, maxBytes: 1_000_000, now: Date.now });
  const id = (await begin(sessions))!;
  const reader = (await sessions.fetch(call(2, id))).body!.getReader();
  void reader.read();
  await reader.cancel();
  const running = await sessions.fetch(call(3, id));
  equal(await begin(sessions), null, "the only session is in use");
  letGo();
  ok((await running.text()).includes("done"));
  ok(await begin(sessions) !== null, "it is free now");
  await sessions.close();
});

Deno.test("200 clients that begin at once get at most as many sessions as there may be", async () => {
  await using world = new ReportWorld();
  const context = world.context();
  const sessions = new LegacySessions(
    () => buildServer(context),
    { maxBytes: 1_000_000, now: () => 0 },
  );
  const responses = await Promise.all(Array.from({ length: 200 }, () => sessions.fetch(post(INITIALIZE))));
  ok(sessions.size <= 32, `${sessions.size} sessions`);
  const begun = responses.filter(({ status }) => status === 200).length;
  ok(begun >= 32, `${begun} began`);
  equal(responses.filter(({ status }) => status !== 200 && status !== 503).length, 0);
  await Promise.all(responses.map((response) => response.text()));
  ok((await sessions.fetch(post(INITIALIZE))).status === 200, "later there is room again");
  await sessions.close();
});
