/** Texts, names, dollar-quoted texts and comments, which hold no placeholders; then a `?` or `$1`. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[^]*?\1|--[^\n\r]*|\/\*[^]*?\*\/|(\?)|(\$\d+)/g;

/**
 * Turns the placeholders `?` of a statement, which every store understands, into PostgreSQL's `$1`, `$2` ... A
 * statement that is written with those, or comes without parameters, stays as it is.
 */
export function numberedPlaceholders(sql: string, count: number): string {
  if (count === 0) return sql;
  let next = 0;
  let numbered = false;
  const text = sql.replace(TOKENS, (token, _tag, mark, number) => {
    if (number !== undefined) numbered = true;
    return mark === undefined ? token : `$${++next}`;
  });
  return numbered ? sql : text;
}
