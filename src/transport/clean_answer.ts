import type { WireAnswer } from "./exchange.ts";
import { withoutSecrets } from "../redact.ts";

/**
 * An answer without the client's own secrets, should the platform echo them: what is read from an answer goes into
 * results, plans, stores and logs.
 */
export function cleanAnswer(answer: WireAnswer, secrets: readonly string[]): WireAnswer {
  const { status, headers, text } = answer;
  const clean = [...headers].map(([name, value]) =>
    [name, withoutSecrets(value, secrets)] as [string, string]
  );
  const isAsItWas = clean.every(([name, value]) => headers.get(name) === value);
  return {
    status,
    headers: isAsItWas ? headers : new Headers(clean),
    text: withoutSecrets(text, secrets),
  };
}
