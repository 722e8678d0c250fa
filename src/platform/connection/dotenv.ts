/**
 * Parses the text of a dotenv file: `NAME=value` lines, `export` allowed, `#` comments, values bare or in single,
 * double or back quotes. Double quotes understand `\n`, `\r`, `\t`, `\"` and `\\`. Later lines win.
 */
export function parseDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*("(?:\\[^]|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n]*)/gm;
  for (const [, name = "", raw = ""] of text.replace(/^\uFEFF/, "").matchAll(line)) {
    values[name] = unquote(raw);
  }
  return values;
}

function unquote(raw: string): string {
  const quote = raw[0];
  if (raw.length >= 2 && raw.at(-1) === quote && (quote === "'" || quote === "`")) return raw.slice(1, -1);
  if (raw.length >= 2 && quote === '"' && raw.at(-1) === '"') {
    const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
    return raw.slice(1, -1).replace(/\\([^])/g, (_, char: string) => escapes[char] ?? char);
  }
  return raw.replace(/(^|\s)#.*$/, "").trim();
}
