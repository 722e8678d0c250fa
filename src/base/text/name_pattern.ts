/**
 * Compiles a name with wildcards: `*` matches any text, `\*` a literal star; case-insensitive. `undefined` for a name
 * without wildcards.
 */
export function namePattern(name: string): RegExp | undefined {
  if (!/(?<!\\)\*/.test(name)) return undefined;
  const parts = name.split(/(?<!\\)\*/).map((part) => escaped(literalName(part)));
  return new RegExp(`^${parts.join(".*")}$`, "isu");
}

export function literalName(name: string): string {
  return name.replaceAll("\\*", "*");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
