import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import { metadataResponse, refusal } from "../access/refusal.ts";
import type { HttpSettings } from "../context/http_settings.ts";
import { METRICS_PATH } from "./operator_routes.ts";
import type { Identity } from "../access/identity.ts";

const PATHS = ["/mcp", METRICS_PATH];

export function guard(request: Request, settings: HttpSettings): Response | undefined {
  const rejected = hostHeaderValidationResponse(request, [...settings.hosts]);
  if (rejected !== undefined) return rejected;
  const metadata = settings.auth && metadataResponse(request, settings.auth);
  if (metadata !== undefined) return metadata;
  const foreign = originValidationResponse(request, [...settings.origins]);
  if (foreign !== undefined) return foreign;
  return PATHS.includes(new URL(request.url).pathname)
    ? undefined
    : refusal(404, `Nothing is served here. Try ${PATHS[0]}`);
}

const ALLOWED_HEADERS =
  "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";

export async function withCors(
  request: Request,
  settings: HttpSettings,
  handle: () => Promise<Response>,
): Promise<Response> {
  const origin = request.headers.get("origin");
  const isForeign = originValidationResponse(request, [...settings.origins]) !== undefined ||
    hostHeaderValidationResponse(request, [...settings.hosts]) !== undefined;
  if (origin === null || isForeign) return await handle();
  const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  const response = isPreflight ? new Response(null, { status: 204 }) : await handle();
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "origin");
  headers.set("access-control-expose-headers", "mcp-protocol-version, mcp-session-id, www-authenticate");
  if (isPreflight) {
    headers.set("access-control-allow-methods", "GET, POST, DELETE");
    headers.set("access-control-allow-headers", ALLOWED_HEADERS);
    headers.set("access-control-max-age", "600");
  }
  return new Response(response.body, { status: response.status, headers });
}

const LISTENING = "subscriptions/listen";
const MAX_DELAY = 2 ** 31 - 1;

interface StreamOwner {
  readonly request: Request;
  readonly identity: Identity;
  readonly now: () => number;
}

/** Closes listening streams when their token expires; running calls complete. */
export function endWithToken(response: Response, { request, identity, now }: StreamOwner): Response {
  const isListening = request.method === "GET" || request.headers.get("mcp-method") === LISTENING;
  if (!isListening || identity.expiresAt === undefined || response.body === null) return response;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), Math.min(Math.max(identity.expiresAt - now(), 0), MAX_DELAY));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void response.body.pipeTo(writable, { signal: ended.signal, preventAbort: true })
    .catch(() => writable.close()).catch(() => {}).finally(() => clearTimeout(timer));
  return new Response(readable, { status: response.status, headers: response.headers });
}
