import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import type { HttpSettings } from "./http_settings.ts";

const ALLOWED_HEADERS =
  "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";

/** Answers what browsers ask before a page's request, and lets pages of allowed origins read the responses. */
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
