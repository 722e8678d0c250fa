import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpContext } from "../context/mcp_context.ts";
import { refusal } from "../access/refusal.ts";
import type { HttpSettings } from "../context/http_settings.ts";
import { type Served, servedOf } from "./tenants.ts";
import { mcpHttpHandler, type McpHttpHandlerOptions } from "./mcp_http_handler.ts";
import { answerNodeRequest } from "../../../base/runtime/node_bridge.ts";

const MAX_CONNECTIONS = 256;

interface ConnectionTimeouts {
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionsCheckingInterval?: number;
}

const TIMEOUTS: Required<ConnectionTimeouts> = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

interface ServeHttpOptions extends McpHttpHandlerOptions {
  readonly timeouts?: ConnectionTimeouts;
}

export interface RunningServer {
  readonly url: string;
  /** Stops accepting requests and waits for plans being sent. */
  stop(): Promise<void>;
}

export async function serveHttp(
  served: McpContext | Served,
  settings: HttpSettings,
  { timeouts, ...options }: ServeHttpOptions = {},
): Promise<RunningServer> {
  const { contexts, log } = servedOf(served);
  const handler = mcpHttpHandler(served, settings, options);
  await handler.open();
  const answer = async (request: Request): Promise<Response> => {
    try {
      return await handler.fetch(request);
    } catch (error) {
      if (!request.signal.aborted) log(`http: ${(error as Error).message}`);
      return refusal(500, "The server failed on this request");
    }
  };
  const server = createServer(
    { ...TIMEOUTS, ...timeouts },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      answerNodeRequest(incoming, outgoing, answer).catch((error: Error) => {
        log(`http: ${error.message}`);
        outgoing.destroy();
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(settings.port, settings.hostname, done);
  });
  const { port } = server.address() as AddressInfo;
  const host = settings.hostname.includes(":") ? `[${settings.hostname}]` : settings.hostname;
  return {
    url: `http://${host}:${port}/mcp`,
    stop: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      await Promise.all([...contexts.values()].map((context) => context.stop()));
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
