/** A value for a path placeholder: an id of digits may be written as an integer. */
export type PathValue = string | number | bigint;

const ESCAPE = /%[0-9a-f]{2}/i;
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\//, "a slash"],
  [/\\/, "a backslash"],
  [/\?/, "a question mark"],
  [/#/, "a hash"],
  [/\p{Cc}/u, "a control character"],
  [ESCAPE, "a percent escape. Pass the value itself; it is encoded for you"],
];
const SENT_AS_THEY_ARE = /%(?:3A|40|24|26|2C|3D)/g;

/**
 * Encodes a value as exactly one segment of a path.
 *
 * Letters, digits and `- . _ ~ : @ ! $ & ' ( ) * , =` stay as they are; everything else is percent-encoded.
 *
 * @param operationId Operation the value is for, named in the error.
 * @param name Placeholder the value is for, named in the error.
 * @throws {TypeError} when the value is neither a string nor an integer.
 * @throws {RangeError} when it could leave its segment: empty, made of dots and spaces (also before a semicolon), a
 * slash, backslash, question mark, hash, control character or percent escape in it, or malformed Unicode.
 *
 * @example
 * ```ts
 * import { pathSegment } from "@platform/ads/catalog";
 *
 * pathSegment("posts:GetPost", "postId", "a b"); // "a%20b"
 * ```
 */
export function pathSegment(operationId: string, name: string, value: unknown): string {
  const refuse = (why: string): RangeError =>
    new RangeError(`Cannot call "${operationId}": the path parameter "${name}" ${why}`);
  const text = textOf(value);
  if (text === undefined) {
    throw new TypeError(
      `Cannot call "${operationId}": the path parameter "${name}" is ${
        kindOf(value)
      }, not a string or an integer. ` +
        "Pass it as a string",
    );
  }
  if (text === "") throw refuse("is empty");
  for (const [pattern, what] of FORBIDDEN) if (pattern.test(text)) throw refuse(`contains ${what}`);
  if (!text.isWellFormed()) throw refuse("is not well-formed Unicode");
  if (/^[.\s]*(?:;|$)/.test(text)) {
    throw refuse("has nothing but dots and spaces in it, or before its first semicolon");
  }
  return encodeURIComponent(text).replace(SENT_AS_THEY_ARE, decodeURIComponent);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "number") {
    return Number.isInteger(value) ? "a number past 2^53" : `the number ${value}`;
  }
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

interface PathTemplate {
  readonly id: string;
  readonly path: string;
  readonly pathParams: readonly string[];
}

/**
 * Fills each placeholder with exactly one path segment.
 *
 * @param literal Rewrites the parts between placeholders for the platform's own word; values are unchanged.
 * @throws {TypeError} when a placeholder has no value, or a value is neither a string nor an integer.
 * @throws {RangeError} when a value could leave its segment.
 */
export function formatPath(
  { id, path, pathParams }: PathTemplate,
  values: Readonly<Record<string, PathValue>>,
  { literal = (text: string): string => text }: { literal?: (text: string) => string } = {},
): string {
  const missing = pathParams.filter((name) => !Object.hasOwn(values, name) || values[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(", ");
    const plural = missing.length === 1 ? "parameter" : "parameters";
    throw new TypeError(
      `Cannot call "${id}": the path ${plural} ${names} ${missing.length === 1 ? "is" : "are"} missing. ` +
        `Pass a value for each placeholder of ${path}`,
    );
  }
  return path.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith("{")) return literal(part);
    const name = part.slice(1, -1);
    return pathSegment(id, name, values[name]);
  }).join("");
}
