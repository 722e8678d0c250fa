export function isProductTerm(text: string): boolean {
  return /^b0[0-9a-z]{8}$/i.test(text.trim());
}

/** Normalizes a keyword text for comparison as the platform does: ignores case and repeated spaces. */
export function comparedText(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, " ");
}

/** True if a text contains a phrase. Both texts must come from {@linkcode comparedText}. */
export function holdsPhrase(text: string, phrase: string): boolean {
  return ` ${text} `.includes(` ${phrase} `);
}
