export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

export interface JsonLine {
  /** Number in the text, from 1. */
  readonly number: number;
  readonly text: string;
  /** Parsed content; `undefined` if the line is not JSON. */
  readonly value: unknown;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Reads JSON lines, with a last one that has no end. What a line that is not JSON means is left to the caller. */
export function jsonLinesOf(text: string): JsonLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text, at) => ({ number: at + 1, text, value: jsonIn(text) }));
}

/**
 * Reads the values of JSON lines as their bytes arrive.
 *
 * @throws {SyntaxError} for a line that is not JSON.
 */
export async function* jsonLinesIn<Value>(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Value> {
  for await (const line of linesIn(bytes)) yield JSON.parse(line) as Value;
}

/** Parses JSON; `undefined` for other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
