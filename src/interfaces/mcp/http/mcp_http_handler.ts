import { Authenticator } from "../access/authenticator.ts";
import { metadataUrl, refusal } from "../access/refusal.ts";
import { staticToken } from "../access/token_verifier.ts";
import { authInfoOf, Identity, identityOf, NOBODY } from "../access/identity.ts";
import type { McpContext } from "../context/mcp_context.ts";
import { endWithToken, guard, withCors } from "./guard.ts";
import type { HttpSettings } from "../context/http_settings.ts";
import { METRICS_PATH, OperatorRoutes } from "./operator_routes.ts";
import { LegacySessions, type SessionLimits } from "./legacy_sessions.ts";
import { type Served, servedOf } from "./tenants.ts";
import { type AuthInfo, createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { buildServer } from "../server/build_server.ts";
import type { Tool } from "../tooling/tool.ts";

const HOLDER_OF_TOKEN = new Identity({ subject: "static token", kind: "static token" });

export interface McpHttpHandlerOptions extends Partial<SessionLimits> {
  readonly fetch?: typeof globalThis.fetch;
  readonly tools?: readonly Tool[];
}

interface McpHttpHandler {
  open(): Promise<void>;
  readonly fetch: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

export function mcpHttpHandler(
  served: McpContext | Served,
  settings: HttpSettings,
  { fetch, tools, ...limits }: McpHttpHandlerOptions = {},
): McpHttpHandler {
  const { token, auth } = settings;
  const { contexts, tenants, log, now } = servedOf(served);
  const authenticator = new Authenticator({
    tokens: [...token === undefined ? [] : [staticToken(token, HOLDER_OF_TOKEN)], ...tenants?.tokens ?? []],
    auth,
    fetch,
    now,
    log,
    ...(tenants === undefined ? {} : { admit: (verified) => tenants.admit(verified) }),
  });
  const exchanges = new Map(
    [...contexts].map(([tenant, context]) => [tenant, protocolExchange(context, { tools, ...limits })]),
  );
  const operator = new OperatorRoutes([...contexts.values()], now);
  const metadata = auth && metadataUrl(auth);
  return {
    open: () => authenticator.open(),
    fetch: async (request) =>
      await operator.health(request) ?? withCors(request, settings, async () => {
        const rejected = guard(request, settings);
        if (rejected !== undefined) return rejected;
        const identity = await authenticator.identify(request);
        if (identity instanceof Response) return identity;
        if (new URL(request.url).pathname === METRICS_PATH) {
          const sessions = [...exchanges.values()].reduce((sum, exchange) => sum + exchange.sessions, 0);
          return operator.metrics(request, identity, sessions);
        }
        const exchange = exchanges.get(identity.tenant);
        if (exchange === undefined) {
          return refusal(403, "The token belongs to none of the accounts of this server");
        }
        const response = await exchange.fetch(request, authInfoOf(identity, metadata));
        return endWithToken(response, { request, identity, now });
      }),
    close: async () => void await Promise.all([...exchanges.values()].map((exchange) => exchange.close())),
  };
}

const MAX_BYTES = 4 * 1024 * 1024;

const MAX_SUBSCRIPTIONS = 64;

interface ProtocolExchange {
  fetch(request: Request, authInfo: AuthInfo): Promise<Response>;
  readonly sessions: number;
  close(): Promise<void>;
}

function protocolExchange(
  context: McpContext,
  { tools, ...limits }: Partial<SessionLimits> & { readonly tools: readonly Tool[] | undefined },
): ProtocolExchange {
  const build = (identity: Identity) => buildServer(context, identity, tools);
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
