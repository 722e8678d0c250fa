import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { callerOf } from "./identity/carried_identity.ts";
import type { Identity } from "./identity/identity.ts";
import type { McpContext } from "./mcp_context.ts";

/** Most resources that a client of the 2025 revisions may watch. */
const MAX_WATCHED = 256;

/**
 * Lets clients of the 2025 revisions watch resources in their session. Those of the current revision listen to the
 * transport, which sends what changed by itself.
 */
export function registerSubscriptions(server: McpServer, context: McpContext, identity: Identity): void {
  const watched = new Set<string>();
  const report = (uri: string): void => {
    if (watched.has(uri)) server.server.sendResourceUpdated({ uri }).catch(() => {});
  };
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", ({ params: { uri } }, mcp) => {
    if (!callerOf(mcp, identity).may("read")) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `Cannot watch ${uri}: your token lacks the scope "read"`,
      );
    }
    if (watched.size >= MAX_WATCHED) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot watch ${uri}: a session watches at most ${MAX_WATCHED} resources`,
      );
    }
    watched.add(uri);
    context.updates.add(report);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watched.delete(uri);
    return {};
  });
  const { onclose } = server.server;
  server.server.onclose = () => {
    context.updates.delete(report);
    onclose?.();
  };
}
