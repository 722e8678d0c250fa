import { hostHeaderValidationResponse, originValidationResponse } from "@modelcontextprotocol/server";
import { metadataResponse } from "../auth/protected_resource.ts";
import type { HttpSettings } from "./http_settings.ts";
import { METRICS_PATH } from "./operator_routes.ts";
import { refusal } from "./refusal.ts";

const PATHS = ["/mcp", METRICS_PATH];

/** Answers requests that need no token or must not reach the tools; `undefined` for all others. */
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
