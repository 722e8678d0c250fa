/**
 * Pattern for a name with wildcards: `*` stands for any text, `\*` for a star; case does not matter. `undefined` for a
 * name without wildcards, which matches that name alone.
 */
export function namePattern(name: string): RegExp | undefined {
  if (!/(?<!\\)\*/.test(name)) return undefined;
  const parts = name.split(/(?<!\\)\*/).map((part) => escaped(literalName(part)));
  return new RegExp(`^${parts.join(".*")}$`, "isu");
}

/** A name without wildcards as it is meant: `\*` is a star. */
export function literalName(name: string): string {
  return name.replaceAll("\\*", "*");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
