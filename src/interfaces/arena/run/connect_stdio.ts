import type { Readable, Writable } from "node:stream";
import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { fieldsOf } from "../../../base/json/fields_of.ts";

const REVISION = "2026-07-28";
const META = "io.modelcontextprotocol";

export async function connectStdio(
  url: string,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<void> {
  const { instructions } = await forward(url, "server/discover");
  const ended = new Promise<void>((done) => {
    stdin.once("end", done);
    stdin.once("close", done);
  });
  const handle = serveStdio(() => {
    const server = new McpServer(
      { name: "platform-ads-arena", version: "1" },
      typeof instructions === "string" ? { instructions } : {},
    );
    server.server.registerCapabilities({ tools: {} });
    server.server.setRequestHandler("tools/list", async () => await forward(url, "tools/list") as never);
    server.server.setRequestHandler(
      "tools/call",
      async ({ params: { name, arguments: args = {} } }) =>
        await forward(url, "tools/call", { name, arguments: args }) as never,
    );
    return server;
  }, { transport: new StdioServerTransport(stdin, stdout) });
  await ended;
  await handle.close();
}

async function forward(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { name } = params;
  const _meta = {
    [`${META}/protocolVersion`]: REVISION,
    [`${META}/clientInfo`]: { name: "arena-stdio", version: "1" },
    [`${META}/clientCapabilities`]: {},
  };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-method": method,
      "mcp-protocol-version": REVISION,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const { result, error } = fieldsOf(await response.json());
  if (error === undefined) return fieldsOf(result);
  const { code, message } = fieldsOf(error);
  throw new ProtocolError(Number(code ?? ProtocolErrorCode.InternalError), String(message));
}
