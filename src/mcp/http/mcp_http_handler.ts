import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { buildServer } from "../build_server.ts";
import { authInfoOf, identityOf } from "../identity/carried_identity.ts";
import { type Identity, NOBODY } from "../identity/identity.ts";
import type { McpContext } from "../mcp_context.ts";
import { withCors } from "./cors.ts";
import { guard } from "./guard.ts";
import type { HttpSettings } from "./http_settings.ts";
import { LegacySessions, type SessionLimits } from "./legacy_sessions.ts";

/** Most bytes of one request: a plan of a thousand items takes a tenth of it. */
export const MAX_BYTES = 4 * 1024 * 1024;

const MAX_SUBSCRIPTIONS = 64;

/** Answers the tool protocol over HTTP, both eras of it. */
export interface McpHttpHandler {
  /** Answers one request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends every session and every exchange. */
  close(): Promise<void>;
}

/** Makes the handler: guard first, then the current protocol a request at a time, the older one in sessions. */
export function mcpHttpHandler(
  context: McpContext,
  settings: HttpSettings,
  limits: Partial<SessionLimits> = {},
): McpHttpHandler {
  const onerror = (error: Error): void => context.log(`http: ${error.message}`);
  const build = (identity: Identity) => buildServer(context, identity);
  const current = createMcpHandler(({ authInfo }) => build(identityOf(authInfo) ?? NOBODY), {
    legacy: "reject",
    maxRequestBodySize: MAX_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror,
  });
  const report = (uri: string): void => current.notify.resourceUpdated(uri);
  context.updates.add(report);
  const sessions = new LegacySessions(build, { maxBytes: MAX_BYTES, now: context.now, ...limits });
  return {
    fetch: (request) =>
      withCors(request, settings, async () => {
        const identity = guard(request, settings);
        if (identity instanceof Response) return identity;
        const authInfo = authInfoOf(identity);
        if (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BYTES })) {
          return await sessions.fetch(request, authInfo);
        }
        return await current.fetch(request, { authInfo });
      }),
    close: async () => {
      context.updates.delete(report);
      await sessions.close();
      await current.close();
    },
  };
}
