const PATTERNS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9\-._~+/|=]+/gi, "$1 [redacted]"],
  [/\bAt[a-z]{1,3}\|[A-Za-z0-9\-._~+/=|]+/g, "[redacted]"],
  [
    /((?:refresh_?token|access_?token|client_?secret|authorization|password)["']?\s*[=:]\s*["']?)([^"'&\s,;}]+)/gi,
    "$1[redacted]",
  ],
  [/([?&](?:code|token|sig|signature|credential|x-[a-z0-9-]+)=)[^&\s"']+/gi, "$1[redacted]"],
];

/**
 * Returns `text` without the values of tokens, secrets and authorization headers.
 *
 * Known secrets may be passed as well: each of them is removed wherever it stands. Everything that leaves the
 * process as an error or a log line goes through here once.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  }
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
