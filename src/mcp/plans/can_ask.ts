import type { ClientCapabilities, McpServer, ServerContext } from "@modelcontextprotocol/server";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The client of a call. */
export interface AskedClient {
  readonly mcp: Pick<ServerContext, "mcpReq">;
  readonly server: Pick<McpServer, "server">;
}

/** True when the client can put a form before a person. */
export function canAsk(call: AskedClient): boolean {
  const envelope = call.mcp.mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CAPABILITIES] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? call.server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
