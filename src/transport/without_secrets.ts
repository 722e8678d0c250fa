/** A text without these secrets, should it hold any, as they are or percent-encoded. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of new Set([secret, encodeURIComponent(secret)])) {
      if (clean.includes(form)) clean = clean.replaceAll(form, "[redacted]");
    }
  }
  return clean;
}
