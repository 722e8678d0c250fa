/**
 * Sixteen digits where a value may stand: the cheap sign that a number past 2^53 - 1 may be in the text. Every answer is
 * searched for it, so its form is the fastest of those that were measured.
 */
const MAYBE_BIG = /[:\[,\s-]\d{16}/;
const BEGINS_BIG = /^\d{16}/;

/** A string, or a number with its fraction and exponent. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** An integer as JSON writes it: leading zeros are malformed, and must stay so. */
const BIG_INTEGER = /^-?[1-9]\d{15,}$/;

const AFTER_A_KEY = /\s*:/y;

/**
 * Parses JSON without losing a digit: an integer outside ±(2^53 - 1) becomes a string of its digits.
 *
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(MAYBE_BIG.test(text) || BEGINS_BIG.test(text) ? quoteBigIntegers(text) : text);
}

function quoteBigIntegers(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token, at: number) => {
    if (token.length < 16 || !BIG_INTEGER.test(token) || Number.isSafeInteger(Number(token))) return token;
    // A bare number as a key is no JSON, and quoting it would make it some.
    AFTER_A_KEY.lastIndex = at + token.length;
    return AFTER_A_KEY.test(text) ? token : `"${token}"`;
  });
}

/**
 * Writes JSON without losing a digit: a `bigint` becomes a bare number. `undefined` fields are left out, as
 * `JSON.stringify` does.
 *
 * @throws {TypeError} for a value that holds itself.
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

/**
 * An id as the platform's integer: a `bigint`, which {@linkcode stringifyJson} writes as a bare number.
 *
 * @throws {TypeError} when the id is not a string of digits.
 */
export function bareInteger(id: string): bigint {
  if (!/^\d{1,20}$/.test(id)) {
    throw new TypeError(`Cannot write "${id}" as an integer id: it is not a row of digits`);
  }
  return BigInt(id);
}
