/** A name as it is written in SQL. No database takes the character NUL in one. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll("\0", "")}"`;
}
