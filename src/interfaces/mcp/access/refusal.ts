import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import { SCOPES } from "./identity.ts";
import type { AuthSettings } from "./auth_settings.ts";

export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
  return Response.json(error, { status, headers });
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export function metadataUrl({ audience }: AuthSettings): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(audience));
}

export function metadataResponse(request: Request, settings: AuthSettings): Response | undefined {
  const { pathname } = new URL(request.url);
  if (pathname !== WELL_KNOWN && pathname !== new URL(metadataUrl(settings)).pathname) return undefined;
  // Whoever wants a token reads it: pages of any origin too. It holds no secret.
  const headers = { "access-control-allow-origin": "*", "cache-control": "max-age=3600" };
  if (request.method === "OPTIONS") {
    return new Response(null, {
      status: 204,
      headers: { ...headers, "access-control-allow-methods": "GET" },
    });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response(null, { status: 405, headers: { ...headers, allow: "GET, HEAD, OPTIONS" } });
  }
  const document = {
    resource: settings.audience,
    authorization_servers: [settings.issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Platform Ads",
  };
  return Response.json(document, { headers });
}
