import { type HttpResponse, jsonResponse, rawResponse } from "../http/http_response.ts";
import type { FaultResponse } from "./fault_rule.ts";

/** The response that a fault puts in place of the real one. */
export function faultResponse(fault: FaultResponse): HttpResponse {
  const headers: Record<string, string> = {};
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name.toLowerCase()] = value;
  if (fault.body === undefined) return { status: fault.status, headers, body: "" };
  if (typeof fault.body === "string") return rawResponse(fault.status, fault.body, { headers });
  return jsonResponse(fault.status, fault.body, { headers });
}
