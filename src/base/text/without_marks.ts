/** Marks without a shape: for the direction of writing, byte order and places where a word may break. */
const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A text without invisible marks, which programs set around words and numbers of Arabic texts. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}
