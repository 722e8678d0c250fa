import type { WireResponse } from "./exchange.ts";
import { withoutSecrets } from "../redact.ts";

/**
 * A response without the client's own secrets, should the platform echo them: what is read from a response goes into
 * results, plans, stores and logs.
 */
export function cleanResponse(response: WireResponse, secrets: readonly string[]): WireResponse {
  const { status, headers, text } = response;
  const all = [...headers.values()].join("\n");
  return {
    status,
    headers: withoutSecrets(all, secrets) === all ? headers : cleanHeaders(headers, secrets),
    text: withoutSecrets(text, secrets),
  };
}

function cleanHeaders(headers: Headers, secrets: readonly string[]): Headers {
  return new Headers(
    [...headers].map(([name, value]): [string, string] => [name, withoutSecrets(value, secrets)]),
  );
}
