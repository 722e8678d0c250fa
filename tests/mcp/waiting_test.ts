import { equal, match, ok } from "node:assert/strict";
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { mcpHttpHandler } from "../../src/mcp/http/mcp_http_handler.ts";
import { httpSettings } from "../../src/mcp/http/http_settings.ts";
import { serveHttp } from "../../src/mcp/http/serve_http.ts";
import { tool } from "../../src/mcp/tool.ts";
import { ReportWorld } from "./support/report_world.ts";

/** A tool whose work ends only when it is stopped, registered in a server that hands its handler out. */
function waitingTool(world: ReportWorld, maxSeconds: number) {
  const waiting = tool({
    name: "wait",
    title: "Wait",
    description: "Waits",
    input: z.strictObject({}),
    output: z.object({}),
    hints: { readOnlyHint: true, openWorldHint: false },
    maxSeconds,
    run: (_, { signal }) =>
      new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason as Error))),
  });
  let handle:
    | ((args: unknown, mcp: unknown) => Promise<{ content: { text: string }[]; isError: boolean }>)
    | undefined;
  const server = { registerTool: (_: string, __: unknown, found: typeof handle) => handle = found };
  waiting.register(server as unknown as McpServer, world.context());
  return handle!;
}

Deno.test("a tool that waits for the platform ends before clients give up, and says so", async () => {
  await using world = new ReportWorld();
  const sent: { params: { message: string } }[] = [];
  const mcpReq = {
    signal: new AbortController().signal,
    _meta: { progressToken: 1 },
    notify: (message: { params: { message: string } }) => Promise.resolve(void sent.push(message)),
  };
  const result = await waitingTool(world, 0.05)({}, { mcpReq });
  equal(result.isError, true);
  match(result.content[0]!.text, /^The call was stopped after 0\.05 s.*Nothing was changed\. Try again/);
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
    { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 100 },
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
    const began = performance.now();
    let status = 0;
    while (status !== 405 && performance.now() - began < 10_000) {
      const response = await fetch(server.url).catch(() => undefined);
      await response?.body?.cancel();
      status = response?.status ?? 0;
      if (status !== 405) await new Promise((done) => setTimeout(done, 100));
    }
    equal(status, 405, "a request without a session is served");
    ok(performance.now() - began < 5_000, `after ${Math.round(performance.now() - began)} ms`);
  } finally {
    for (const connection of idle) connection.close();
    await server.stop();
  }
});
