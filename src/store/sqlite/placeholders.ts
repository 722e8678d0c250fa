/** Texts, names and comments, which hold no placeholders; then `?` or `?2`, then a named one. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\?(\d*)|([:@$]\w+)/g;

/**
 * Says what is wrong with the values for a statement's placeholders: SQLite takes NULL where one is missing, and finds
 * other rows than were asked for. `undefined` when nothing is.
 */
export function placeholderProblem(sql: string, values: number): string | undefined {
  let wanted = 0;
  for (const [, number, name] of sql.matchAll(TOKENS)) {
    if (name !== undefined) return `the placeholder ${name} has a name. Write ? and give the values in order`;
    if (number !== undefined) wanted = number === "" ? wanted + 1 : Math.max(wanted, Number(number));
  }
  if (wanted === values) return undefined;
  return `it has ${wanted} placeholder${wanted === 1 ? "" : "s"}, and ${values} value${
    values === 1 ? " is" : "s are"
  } given`;
}
