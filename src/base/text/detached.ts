const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The same text with memory of its own: a part that was cut out of a text keeps the whole of it in memory. */
export function detached(text: string): string {
  return text.length < 13 ? text : decoder.decode(encoder.encode(text));
}
