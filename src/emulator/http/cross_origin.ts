import type { IncomingRequest } from "./incoming_request.ts";

const A_DAY = "86400";

/**
 * Headers that let a web page of an allowed origin read the response; none for everyone else. The platform sends none at
 * all, so a page that is not allowed here meets what it would meet there.
 *
 * @param allowed Origins as a browser spells them, such as `http://127.0.0.1:8080`.
 */
export function crossOriginHeaders(
  request: IncomingRequest,
  allowed: readonly string[],
): Record<string, string> {
  const origin = request.headers["origin"];
  if (origin === undefined || !allowed.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "*", "vary": "origin" };
}

/**
 * Headers of the response to a browser that asks whether its page may send a request; `undefined` when this is not such a
 * question, or comes from a page that is not allowed.
 */
export function preflightHeaders(
  request: IncomingRequest,
  allowed: readonly string[],
): Record<string, string> | undefined {
  const headers = crossOriginHeaders(request, allowed);
  const method = request.headers["access-control-request-method"];
  if (request.method !== "OPTIONS" || method === undefined || Object.keys(headers).length === 0) {
    return undefined;
  }
  return {
    ...headers,
    "access-control-allow-methods": method,
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "",
    "access-control-max-age": A_DAY,
  };
}
