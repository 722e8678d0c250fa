import { type AuthInfo, createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { buildServer } from "../build_server.ts";
import { identityOf } from "../identity/carried_identity.ts";
import { type Identity, NOBODY } from "../identity/identity.ts";
import type { McpContext } from "../mcp_context.ts";
import { LegacySessions, type SessionLimits } from "./legacy_sessions.ts";

/** Most bytes of one request: a plan of a thousand items takes a tenth of it. */
export const MAX_BYTES = 4 * 1024 * 1024;

const MAX_SUBSCRIPTIONS = 64;

/** The tool protocol over HTTP for those who share a context: sessions and subscriptions are theirs alone. */
export interface ProtocolExchange {
  /** Answers a request that the guard has let in. */
  fetch(request: Request, authInfo: AuthInfo): Promise<Response>;
  /** Number of sessions. */
  readonly sessions: number;
  /** Ends every session and every exchange. */
  close(): Promise<void>;
}

/** Makes an exchange: the current protocol a request at a time, the older one in sessions. */
export function protocolExchange(
  context: McpContext,
  limits: Partial<SessionLimits> = {},
): ProtocolExchange {
  const build = (identity: Identity) => buildServer(context, identity);
  const current = createMcpHandler(({ authInfo }) => build(identityOf(authInfo) ?? NOBODY), {
    legacy: "reject",
    maxRequestBodySize: MAX_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => context.log(`http: ${error.message}`),
  });
  const report = (uri: string): void => current.notify.resourceUpdated(uri);
  context.updates.add(report);
  const sessions = new LegacySessions(build, { maxBytes: MAX_BYTES, now: context.now, ...limits });
  return {
    get sessions() {
      return sessions.size;
    },
    fetch: async (request, authInfo) => {
      if (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BYTES })) {
        return await sessions.fetch(request, authInfo);
      }
      return await current.fetch(request, { authInfo });
    },
    close: async () => {
      context.updates.delete(report);
      await sessions.close();
      await current.close();
    },
  };
}
