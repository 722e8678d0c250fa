/** True for a text that is a product: the ASIN that a shopper looked at. */
export function isProductTerm(text: string): boolean {
  return /^b0[0-9a-z]{8}$/i.test(text.trim());
}

/** A text as the platform compares keywords: without case, and with one space between words. */
export function comparedText(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, " ");
}

/** True when a phrase negative of this text keeps a search away. Both are texts of {@linkcode comparedText}. */
export function holdsPhrase(text: string, phrase: string): boolean {
  return ` ${text} `.includes(` ${phrase} `);
}
