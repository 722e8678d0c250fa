const PATTERNS: readonly [RegExp, string][] = [
  [/\b(Bearer)\s+[A-Za-z0-9\-._~+/|=]+/gi, "$1 [redacted]"],
  [/(?<![A-Za-z])At[a-z]{1,3}(?:\||%(?:25)*7C)[A-Za-z0-9\-._~+/=|%]+/g, "[redacted]"],
  [/(authorization\\?["']?\s*[=:]\s*\\?["']?)(?:Basic\s+)?[^"'\\&\s,;}]+/gi, "$1[redacted]"],
  [
    /((?:refresh_?token|access_?token|client_?secret|password)\\?["']?\s*[=:]\s*\\?["']?)[^"'\\&\s,;}]+/gi,
    "$1[redacted]",
  ],
  [/([?&](?:code|token|sig|signature|credential|x-[a-z0-9-]+)=)[^&\s"'\\)]+/gi, "$1[redacted]"],
];

/**
 * Redacts secrets in a text, including the given ones, plain or percent-encoded. Every error and log line is passed
 * through this function once.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = withoutSecrets(text, secrets);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const form of formsOf(secrets).all) {
    if (clean.includes(form)) clean = clean.replaceAll(form, "[redacted]");
  }
  return clean;
}

export function shortestSecret(secrets: readonly string[]): number {
  return formsOf(secrets).shortest;
}

interface SecretForms {
  readonly all: readonly string[];
  readonly shortest: number;
}

const forms = new WeakMap<readonly string[], SecretForms>();

function formsOf(secrets: readonly string[]): SecretForms {
  let found = forms.get(secrets);
  if (found === undefined) {
    const known = secrets.filter((secret) => secret.length >= 4);
    const all = [...new Set(known.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
    found = { all, shortest: Math.min(...all.map((form) => form.length)) };
    forms.set(secrets, found);
  }
  return found;
}

export function redactValue(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === "string") return redact(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => redactValue(part, secrets));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redactValue(part, secrets)]));
}
