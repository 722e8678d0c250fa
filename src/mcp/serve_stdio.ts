import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./build_server.ts";
import type { McpContext } from "./mcp_context.ts";

/** The streams of the protocol. */
export interface StdioStreams {
  /** Where messages come from. */
  readonly stdin: Readable;
  /** Where messages go, and nothing else. */
  readonly stdout: Writable;
}

/** Serves one client over standard input and output, until the input ends or `stopped` is aborted. */
export async function serveOverStdio(
  context: McpContext,
  { stdin, stdout }: StdioStreams,
  options: { stopped: AbortSignal },
): Promise<void> {
  const { stopped } = options;
  const ended = new Promise<void>((done) => {
    stdin.once("end", () => done());
    stdin.once("close", () => done());
    if (stopped.aborted) done();
    stopped.addEventListener("abort", () => done());
  });
  const handle = serveStdio(() => buildServer(context), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => context.log(`stdio: ${error.message}`),
  });
  await ended;
  await context.stop();
  await handle.close();
}
