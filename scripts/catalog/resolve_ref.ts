/** An object of an API description. */
export type Node = Readonly<Record<string, unknown>>;

/** The value as an object of a description; an empty one where it is not an object. */
export function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Node : {};
}

/**
 * Follows the `$ref`s of a node to the object they stand for.
 *
 * @throws {Error} when a reference leads in a circle, to another document or to nothing.
 */
export function resolveRef(document: unknown, node: unknown): Node {
  const seen: string[] = [];
  let at = nodeOf(node);
  while (typeof at["$ref"] === "string") {
    const ref = at["$ref"];
    if (seen.includes(ref)) {
      throw new Error(`Cannot follow "$ref": ${[...seen, ref].join(" -> ")} is a circle`);
    }
    seen.push(ref);
    at = nodeOf(lookUp(document, ref));
  }
  return at;
}

function lookUp(document: unknown, ref: string): unknown {
  if (!ref.startsWith("#/")) throw new Error(`Cannot follow "$ref": "${ref}" is not in this document`);
  let at: unknown = document;
  for (const part of ref.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
      throw new Error(`Cannot follow "$ref": "${ref}" leads to nothing`);
    }
    at = (at as Node)[key];
  }
  return at;
}
