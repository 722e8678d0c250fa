import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { mcpHttpHandler } from "../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { serveHttp } from "../../src/interfaces/mcp/http/serve_http.ts";
import { LOCAL } from "../../src/interfaces/mcp/access/identity.ts";
import { answerSeconds, callProgress, PendingCalls } from "../../src/interfaces/mcp/calls/pending_calls.ts";
import { tool } from "../../src/interfaces/mcp/tooling/tool.ts";
import { ReportWorld } from "./support/report_world.ts";
import { until } from "../support/until.ts";

interface Result {
  readonly content: { readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** A tool that ends when it is let go, and what a client may do with it. */
function slowTool(world: ReportWorld) {
  const gate = Promise.withResolvers<void>();
  const begun: { readonly of: number; readonly signal: AbortSignal }[] = [];
  const slow = tool({
    name: "wait",
    title: "Wait",
    description: "Waits",
    input: z.strictObject({ of: z.int() }),
    output: z.object({ of: z.int() }),
    effect: "read",
    run: async ({ of }, { signal }) => {
      begun.push({ of, signal });
      await Promise.race([
        gate.promise,
        new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason as Error))),
      ]);
      return { data: { of }, text: `done ${of}` };
    },
  });
  let handle: ((args: unknown, mcp: unknown) => Promise<Result>) | undefined;
  const server = {
    registerTool: (_: string, __: unknown, found: typeof handle) => handle = found,
    server: { getNegotiatedProtocolVersion: () => "2026-07-28" },
  };
  const context = world.context();
  slow.register(server as unknown as McpServer, context, LOCAL);
  const sent: string[] = [];
  const call = (of: number, meta: Record<string, unknown>, signal = new AbortController().signal) => {
    const notify = (message: { params: { message: string } }) =>
      Promise.resolve(void sent.push(message.params.message));
    const log = (): Promise<void> => Promise.resolve();
    return handle!({ of }, { mcpReq: { signal, _meta: { progressToken: 1, ...meta }, notify, log } });
  };
  return { call, begun, sent, context, letGo: () => gate.resolve() };
}

Deno.test("progress begins at 0, only grows, and ends with the answer", async () => {
  const sent: number[] = [];
  const notify = ({ params }: { params: { progress: number } }) =>
    Promise.resolve(void sent.push(params.progress));
  const signal = new AbortController().signal;
  const report = callProgress({ mcpReq: { _meta: { progressToken: 1 }, signal, notify } } as never);
  for (const done of [7, 3, -1, 0, 8, 8]) await report(done, "working");
  equal(sent[0], 0);
  ok(sent.every((figure, at) => at === 0 || figure > sent[at - 1]!), sent.join());

  const pending = new PendingCalls(() => 0);
  const work = { answer: Promise.resolve({ content: [] }), report, stop: () => {} };
  pending.add("key", work);
  await work.report(9, "after the answer");
  equal(sent.length, 6);
  pending.stop();
});

Deno.test("a call that takes longer than the client waits is answered in time, and made again it gets the result", async () => {
  await using world = new ReportWorld();
  const { call, begun, letGo } = slowTool(world);
  const first = await call(1, { timeout: 0.06 });
  equal(first.isError, true);
  match(first.content[0]!.text, /^Still working after 0 s.*repeat the same call/);
  letGo();
  const other = await call(2, { timeout: 0.06 });
  const again = await call(1, { timeout: 0.06 });
  deepEqual([other.content[0]!.text, again.content[0]!.text], ["done 2", "done 1"]);
  deepEqual(again.structuredContent, { of: 1 });
  deepEqual(begun.map(({ of }) => of), [1, 2], "the second call of 1 began nothing");
  await call(1, { timeout: 0.06 });
  equal(begun.length, 3, "a result is given once; after it the work is done anew");
});

Deno.test("a client that cancels ends the work, also of a call that it made again", async () => {
  await using world = new ReportWorld();
  const { call, begun } = slowTool(world);
  const client = new AbortController();
  await call(1, { timeout: 0.06 });
  equal(begun[0]!.signal.aborted, false, "the work goes on");
  const again = call(1, {}, client.signal);
  client.abort();
  match((await again).content[0]!.text, /cancelled/);
  equal(begun[0]!.signal.aborted, true);
});

Deno.test("work that nobody asks for again ends with the server, and when much of it is pending the oldest ends", async () => {
  await using world = new ReportWorld();
  const { call, begun, context } = slowTool(world);
  for (let of = 0; of < 17; of++) await call(of, { timeout: 0.001 });
  deepEqual(begun.map(({ signal }) => signal.aborted), [true, ...Array.from({ length: 16 }, () => false)]);
  await context.stop();
  ok(begun.every(({ signal }) => signal.aborted));
});

Deno.test("a client hears of its call within the first second or so", async () => {
  await using world = new ReportWorld();
  const { call, sent, letGo } = slowTool(world);
  const { setInterval: set } = globalThis;
  const delays: unknown[] = [];
  globalThis.setInterval = ((run: () => void, delay: number) => {
    delays.push(delay);
    return set(run, delay);
  }) as typeof set;
  const answer = call(1, {});
  await until(() => sent.length > 0).finally(() => globalThis.setInterval = set);
  deepEqual(delays, [1000]);
  match(sent[0]!, /^Working for \d+ s$/);
  letGo();
  await answer;
});

Deno.test("a call is answered before its client gives up: after 45 s, or in five sixths of the timeout it names", () => {
  const seconds = (meta: Record<string, unknown>, wanted?: number): number =>
    answerSeconds({ mcpReq: { _meta: meta } } as unknown as ServerContext, wanted);
  deepEqual([seconds({}), seconds({ timeout: 300 }), seconds({ timeout: 12 })], [45, 250, 10]);
  deepEqual([seconds({}, 120), seconds({ timeout: 30 }, 120)], [120, 25]);
  for (const timeout of [0, -1, 1e9, "30", null, NaN]) equal(seconds({ timeout }), 45, String(timeout));
});

Deno.test("pages of an allowed origin can reach the server from a browser, others cannot", async () => {
  await using world = new ReportWorld();
  const settings = httpSettings("3911", {
    token: "a-token-of-24-characters",
    hosts: [],
    origins: ["ui.internal"],
  });
  const handler = mcpHttpHandler(world.context(), settings);
  const preflight = (origin: string) =>
    handler.fetch(
      new Request("http://127.0.0.1:3911/mcp", {
        method: "OPTIONS",
        headers: { host: "127.0.0.1:3911", origin, "access-control-request-method": "POST" },
      }),
    );
  const allowed = await preflight("https://ui.internal");
  equal(allowed.status, 204);
  equal(allowed.headers.get("access-control-allow-origin"), "https://ui.internal");
  match(allowed.headers.get("access-control-allow-headers")!, /authorization.*mcp-session-id/);
  match(allowed.headers.get("access-control-allow-methods")!, /POST/);
  const foreign = await preflight("https://evil.example");
  equal(foreign.status, 403);
  equal(foreign.headers.get("access-control-allow-origin"), null);
  // The token is asked for all the same, and the page can read why it was refused.
  const refused = await handler.fetch(
    new Request("http://127.0.0.1:3911/mcp", {
      method: "POST",
      headers: { host: "127.0.0.1:3911", origin: "https://ui.internal" },
      body: "{}",
    }),
  );
  equal(refused.status, 401);
  equal(refused.headers.get("access-control-allow-origin"), "https://ui.internal");
  ok(refused.headers.get("vary")?.includes("origin"));
  await handler.close();
});

Deno.test("clients that open connections and send nothing, or slowly, do not keep others out", async () => {
  await using world = new ReportWorld();
  const server = await serveHttp(
    world.context(),
    httpSettings("127.0.0.1:0", { token: undefined, hosts: [], origins: [] }),
    { timeouts: { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 100 } },
  );
  const { hostname, port } = new URL(server.url);
  const idle: Deno.Conn[] = [];
  try {
    for (let count = 0; count < 300; count++) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      idle.push(connection);
      if (count % 2 === 0) {
        await connection.write(new TextEncoder().encode("POST /mcp HTTP/1.1\r\nhost: x\r\nx-slow: "));
      }
    }
    let status = 0;
    while (status !== 405) {
      const response = await fetch(server.url).catch(() => undefined);
      await response?.body?.cancel();
      status = response?.status ?? 0;
      if (status !== 405) await new Promise((done) => setTimeout(done, 100));
    }
  } finally {
    for (const connection of idle) connection.close();
    await server.stop();
  }
});
