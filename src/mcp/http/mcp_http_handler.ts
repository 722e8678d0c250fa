import { Authenticator } from "../auth/authenticator.ts";
import { metadataUrl } from "../auth/protected_resource.ts";
import { staticToken } from "../auth/static_tokens.ts";
import { authInfoOf } from "../identity/carried_identity.ts";
import { Identity } from "../identity/identity.ts";
import type { McpContext } from "../mcp_context.ts";
import { withCors } from "./cors.ts";
import { endWithToken } from "./end_with_token.ts";
import { guard } from "./guard.ts";
import type { HttpSettings } from "./http_settings.ts";
import { METRICS_PATH, OperatorRoutes } from "./operator_routes.ts";
import type { SessionLimits } from "./legacy_sessions.ts";
import { protocolExchange } from "./protocol_exchange.ts";
import { refusal } from "./refusal.ts";
import { type Served, servedOf } from "../tenants/served.ts";

const HOLDER_OF_TOKEN = new Identity({ subject: "static token", kind: "static token" });

/** How a handler serves. */
export interface McpHttpHandlerOptions extends Partial<SessionLimits> {
  /** Reaches the issuer of tokens. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** Answers the tool protocol over HTTP, both eras of it. */
export interface McpHttpHandler {
  /**
   * Gets ready to check tokens.
   *
   * @throws {ConfigurationError} when that needs a package which is not installed.
   */
  open(): Promise<void>;
  /** Answers one request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends every session and every exchange. */
  close(): Promise<void>;
}

/** Makes the handler: the guard first, then who calls, then the protocol. */
export function mcpHttpHandler(
  served: McpContext | Served,
  settings: HttpSettings,
  { fetch, ...limits }: McpHttpHandlerOptions = {},
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
    [...contexts].map(([tenant, context]) => [tenant, protocolExchange(context, limits)]),
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
