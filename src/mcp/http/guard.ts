import { createHash, timingSafeEqual } from "node:crypto";
import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import { Identity, LOCAL } from "../identity/identity.ts";
import type { HttpSettings } from "./http_settings.ts";

const PATH = "/mcp";

const HOLDER_OF_TOKEN = new Identity({ subject: "static token", kind: "static token" });

/** Answers a request that must not reach the tools; for one that may, says who makes it. */
export function guard(request: Request, settings: HttpSettings): Response | Identity {
  const rejected = hostHeaderValidationResponse(request, [...settings.hosts]) ??
    originValidationResponse(request, [...settings.origins]);
  if (rejected !== undefined) return rejected;
  if (new URL(request.url).pathname !== PATH) return refusal(404, `Nothing is served here. Try ${PATH}`);
  if (settings.token === undefined) return LOCAL;
  if (bears(request, settings.token)) return HOLDER_OF_TOKEN;
  return refusal(401, "The bearer token is missing or wrong", { "www-authenticate": "Bearer" });
}

/** A JSON-RPC error for a request that is not answered otherwise. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
  return Response.json(error, { status, headers });
}

/** Compares digests in constant time, so that neither the length nor a part of the token shows in how long it takes. */
function bears(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer +(.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
