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

const MAX_DEPTH = 8;
const SECRET_FIELD = /authorization|cookie|secret|token|passw|credential|api[-_]?key/i;
const WEB_NAMES: ReadonlySet<string> = new Set([
  "AbortError",
  "DataCloneError",
  "DataError",
  "EncodingError",
  "InvalidAccessError",
  "InvalidStateError",
  "NetworkError",
  "NotAllowedError",
  "NotReadableError",
  "NotSupportedError",
  "OperationError",
  "QuotaExceededError",
  "SecurityError",
  "SyntaxError",
  "TimeoutError",
  "UnknownError",
  "VersionError",
]);
const STANDARD: ReadonlySet<string> = new Set(["name", "message", "stack", "cause", "errors"]);

/**
 * Returns the error itself if it contains no secrets, otherwise a cleaned copy. Runtime errors may quote a request's
 * full URL, and HTTP client errors may contain its headers.
 */
export function redactError(error: unknown, secrets: readonly string[] = []): unknown {
  return cleaned(error, { secrets, above: [] });
}

interface Place {
  readonly secrets: readonly string[];
  readonly above: readonly object[];
}

function cleaned(value: unknown, place: Place): unknown {
  if (typeof value === "string") return redact(value, place.secrets);
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (place.above.length > MAX_DEPTH || place.above.includes(value)) return undefined;
  const inside = { ...place, above: [...place.above, value] };
  if (value instanceof Error) return cleanedError(value, inside);
  if (Array.isArray(value)) {
    const parts = value.map((part) => cleaned(part, inside));
    return parts.every((part, at) => part === value[at]) ? value : parts;
  }
  const before = pairs(value);
  const after = before.map(([name, part]) => cleanedField(name, part, inside));
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  const isClean = after.every(([name, part], at) => name === before[at]?.[0] && part === before[at][1]);
  // An object of a class may print what its fields do not show, so that only plain ones are kept as they are.
  return isPlain && isClean ? value : Object.fromEntries(after);
}

function pairs(value: object): [name: string, part: unknown][] {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return [];
  if (value instanceof URL) return [["href", value.href]];
  if (value instanceof Request) {
    return [["url", value.url], ["method", value.method], ["headers", value.headers]];
  }
  if (value instanceof Response) return [["url", value.url], ["status", value.status]];
  if (value instanceof Headers || value instanceof URLSearchParams || value instanceof Map) {
    return [...value].map(([name, part]) => [String(name), part]);
  }
  return Object.entries(value);
}

function cleanedField(field: string, part: unknown, place: Place): [name: string, part: unknown] {
  const name = redact(field, place.secrets);
  const isSecret = SECRET_FIELD.test(name) && (typeof part === "string" || Array.isArray(part));
  return [name, isSecret ? "[redacted]" : cleaned(part, place)];
}

function cleanedError(error: Error, place: Place): Error {
  const own = new Map(Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]));
  for (const name of STANDARD) own.delete(name);
  const fields = [...own].map(([name, part]) => cleanedField(name, part, place));
  const name = nameOf(error);
  const message = redact(error.message, place.secrets);
  const trace = error.stack ?? "";
  const head = name === error.name ? "" : String(error.name);
  const stack = redact(
    head !== "" && trace.startsWith(head) ? name + trace.slice(head.length) : trace,
    place.secrets,
  );
  const cause = cleaned(error.cause, place);
  const inner: unknown[] | undefined = error instanceof AggregateError ? error.errors : undefined;
  const errors = inner === undefined ? undefined : cleaned(inner, place);
  const isClean = name === error.name && message === error.message && stack === (error.stack ?? "") &&
    cause === error.cause &&
    errors === inner && fields.every(([name, part]) => own.has(name) && own.get(name) === part);
  if (isClean) return error;
  const options = cause === undefined ? undefined : { cause };
  const copy = Array.isArray(errors)
    ? new AggregateError(errors, message, options)
    : new Error(message, options);
  return Object.assign(copy, Object.fromEntries(fields), { name, stack });
}

function nameOf(error: Error): string {
  const classes: string[] = [];
  for (let at: object | null = Object.getPrototypeOf(error); at !== null; at = Object.getPrototypeOf(at)) {
    const { constructor } = at;
    if (typeof constructor === "function" && constructor.name !== "") classes.push(constructor.name);
  }
  return classes.includes(error.name) || WEB_NAMES.has(error.name) ? error.name : classes[0] ?? "Error";
}
