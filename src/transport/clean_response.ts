import type { WireAnswer } from "./exchange.ts";
import { withoutSecrets } from "../redact.ts";

/**
 * An answer without the client's own secrets, should the platform echo them: what is read from an answer goes into
 * results, plans, stores and logs.
 */
export function cleanAnswer(answer: WireAnswer, secrets: readonly string[]): WireAnswer {
  const { status, headers, text } = answer;
  const all = [...headers.values()].join("\n");
  return {
    status,
    headers: withoutSecrets(all, secrets) === all ? headers : cleanHeaders(headers, secrets),
    text: withoutSecrets(text, secrets),
  };
}

function cleanHeaders(headers: Headers, secrets: readonly string[]): Headers {
  return new Headers(
    [...headers].map(([name, value]) => [name, withoutSecrets(value, secrets)] as [string, string]),
  );
}
