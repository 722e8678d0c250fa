import type { WireAnswer } from "./exchange.ts";

/**
 * An answer without the client's own secrets, as they are or percent-encoded, should the platform echo them: what is
 * read from an answer goes into results, plans, stores and logs.
 */
export function cleanAnswer(answer: WireAnswer, secrets: readonly string[]): WireAnswer {
  const forms = secrets.filter(({ length }) => length >= 4)
    .flatMap((secret) => [...new Set([secret, encodeURIComponent(secret)])]);
  const holdsOne = (text: string): boolean => forms.some((form) => text.includes(form));
  const clean = (text: string): string =>
    forms.reduce((left, form) => left.replaceAll(form, "[redacted]"), text);
  const { status, headers, text } = answer;
  return {
    status,
    headers: [...headers.values()].some(holdsOne)
      ? new Headers([...headers].map(([name, value]) => [name, clean(value)]))
      : headers,
    text: holdsOne(text) ? clean(text) : text,
  };
}
