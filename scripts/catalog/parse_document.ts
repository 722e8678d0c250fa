import { parse } from "yaml";

/**
 * Reads a JSON or YAML document. Raw tabs inside strings, which both formats forbid in places, count as spaces.
 *
 * @throws {Error} when it is neither, saying what is wrong where.
 */
export function parseDocument(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  const read = /^[{[]/.test(trimmed) ? JSON.parse : (source: string): unknown => parse(source);
  try {
    return read(trimmed);
  } catch (error) {
    if (!trimmed.includes("\t")) throw error;
    return read(trimmed.replaceAll("\t", " "));
  }
}
