const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const LONG_INTEGER = /^-?\d{16,}$/;

const DEEPEST = 100;

interface TextCleaner {
  /** Minimum length of a text that may need cleaning. */
  readonly minLength: number;
  readonly clean: (text: string) => string;
}

const KEEP: TextCleaner = { minLength: Infinity, clean: (text) => text };

/**
 * Parses JSON. An integer outside ±(2^53 - 1) becomes a string of its digits, so no digit is lost.
 *
 * @param cleaner Cleans all texts, including field names.
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJson(text: string, cleaner: TextCleaner = KEEP): unknown {
  const value: unknown = JSON.parse(text);
  if (isPlain(value, cleaner, 0)) return value;
  return cleaned(JSON.parse(quoteBigIntegers(text)), cleaner);
}

/**
 * True if a parsed value can be used unchanged. Checking the value is cheaper than searching the text. Deeply nested
 * values are treated as not plain.
 */
function isPlain(value: unknown, cleaner: TextCleaner, depth: number): boolean {
  if (typeof value === "string") return isClean(value, cleaner);
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  if (depth === DEEPEST) return false;
  // Loops without a copy of the values, which would cost more than the looking.
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, cleaner, depth + 1)) return false;
    return true;
  }
  const fields = value as Record<string, unknown>;
  const { minLength } = cleaner;
  for (const name in fields) {
    if (name.length >= minLength && !isClean(name, cleaner)) return false;
    const part = fields[name];
    // Most are short texts.
    if (typeof part === "string" && part.length < minLength) continue;
    if (!isPlain(part, cleaner, depth + 1)) return false;
  }
  return true;
}

function isClean(text: string, { minLength, clean }: TextCleaner): boolean {
  return text.length < minLength || clean(text) === text;
}

function cleaned(value: unknown, cleaner: TextCleaner): unknown {
  if (cleaner === KEEP) return value;
  if (typeof value === "string") return cleaner.clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, cleaner));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [cleaner.clean(name), cleaned(part, cleaner)]),
  );
}

function quoteBigIntegers(text: string): string {
  return text.replace(
    STRING_OR_NUMBER,
    (token) => LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
}

/**
 * Converts a value to JSON. A `bigint` is written as a bare number, so no digit is lost. `undefined` fields are
 * omitted, as with `JSON.stringify`.
 *
 * @throws {TypeError} when the value contains itself.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // It holds a bigint, or itself.
    if (!(error instanceof TypeError)) throw error;
    return write(value, []) ?? "null";
  }
}

function write(value: unknown, above: readonly object[]): string | undefined {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || "toJSON" in value) return JSON.stringify(value);
  if (above.includes(value)) throw new TypeError("Cannot write JSON: a value holds itself");
  const inside = [...above, value];
  if (Array.isArray(value)) return `[${value.map((item) => write(item, inside) ?? "null").join(",")}]`;
  const fields: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    const text = write(field, inside);
    if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${fields.join(",")}}`;
}

export function bareInteger(id: string): bigint {
  if (!/^\d{1,20}$/.test(id)) {
    throw new TypeError(`Cannot write "${id}" as an integer id: it is not a row of digits`);
  }
  return BigInt(id);
}
