const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Copies the text, because a substring keeps its whole source in memory. */
export function detached(text: string): string {
  return text.length < 13 ? text : decoder.decode(encoder.encode(text));
}
