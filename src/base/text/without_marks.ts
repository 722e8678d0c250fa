const MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}
