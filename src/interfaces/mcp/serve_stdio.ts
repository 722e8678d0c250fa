import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./server/build_server.ts";
import type { McpContext } from "./context/mcp_context.ts";

const CURRENT = "2026-07-28";

/** The streams of the protocol. */
export interface StdioStreams {
  /** Source of messages. */
  readonly stdin: Readable;
  /** Destination of messages only. */
  readonly stdout: Writable;
}

class WatchedTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }
}

/** Ends with the input, when the client cannot be served any longer, or when `stopped` is aborted. */
export async function serveOverStdio(
  context: McpContext,
  { stdin, stdout }: StdioStreams,
  options: { stopped: AbortSignal },
): Promise<void> {
  const { stopped } = options;
  const transport = new WatchedTransport(stdin, stdout);
  const ended = new Promise<void>((done) => {
    stdin.once("end", () => done());
    stdin.once("close", () => done());
    if (stopped.aborted) done();
    stopped.addEventListener("abort", () => done());
  });
  let server: McpServer | undefined;
  const report = (uri: string): void => {
    // Clients of the 2025 revisions subscribe to the server; the others to this transport, which knows what they watch.
    if (server === undefined || server.server.getNegotiatedProtocolVersion() !== CURRENT) return;
    server.server.sendResourceUpdated({ uri }).catch(() => {});
  };
  context.updates.add(report);
  const handle = serveStdio(() => server = buildServer(context), {
    transport,
    onerror: (error) => context.log(`stdio: ${error.message}`),
  });
  await Promise.race([ended, transport.closed]);
  context.updates.delete(report);
  await context.stop();
  await handle.close();
}
