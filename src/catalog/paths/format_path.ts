import { pathSegment, type PathValue } from "./path_segment.ts";

/** Parts of a path. */
export interface PathTemplate {
  /** Id of the operation, named in errors. */
  readonly id: string;
  /** Path template, placeholders in braces. */
  readonly path: string;
  /** Placeholders, in order. */
  readonly pathParams: readonly string[];
}

/**
 * Fills a path template, each placeholder with exactly one segment.
 *
 * @param literal Rewrites the parts between placeholders, for the platform's own word; the values stay untouched.
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
