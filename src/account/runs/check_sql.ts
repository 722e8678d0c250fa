interface Part {
  readonly text: string;
  readonly kind: "word" | "text" | "other";
  readonly line: number;
  readonly depth: number;
}

const PARTS =
  /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<text>'(?:[^']|'')*'?)|(?<other>"(?:[^"]|"")*"?|\d[\w.]*|[^\w\s])|(?<word>\w+)/g;
const BARRED: Readonly<Record<string, string>> = {
  LIMIT: "LIMIT is not supported: filter with HAVING or a window function",
  GETDATE: "GETDATE is not supported: use CAST('today' AS DATE)",
};
const AGGREGATES = /^(?:COUNT|SUM|AVG|MIN|MAX|APPROX\w*|STDDEV\w*|VAR\w*|CORR|COVAR\w*|COLLECT|ARRAY_AGG)$/;

/**
 * Returns problems of a query. Reports only definite errors; the platform compiles the query in a dry run.
 *
 * @param at.line Line on which the query starts.
 * @param at.parameters Declared parameter names.
 */
export function sqlProblems(
  sql: string,
  { line, parameters }: { readonly line: number; readonly parameters: readonly string[] },
): string[] {
  const parts = partsOf(sql, line);
  const [first] = parts;
  if (first === undefined) return [`Line ${line}: The file has no query`];
  const problems: string[] = [];
  const add = ({ line }: Part, message: string): void => void problems.push(`Line ${line}: ${message}`);
  if (first.text !== "SELECT" && first.text !== "WITH") {
    add(first, "The query must begin with SELECT or WITH");
  }
  const used = new Set<string>();
  parts.forEach((part, at) => {
    const { text, kind } = part;
    const next = parts[at + 1];
    if (kind === "text" && !/^'(?:[^']|'')*'$/.test(text)) add(part, "A text has no closing quote");
    if (text === ";" && next !== undefined) add(next, "Only one statement is allowed");
    if (kind !== "word") return;
    const barred = Object.hasOwn(BARRED, text) ? BARRED[text] : undefined;
    if (barred !== undefined) add(part, barred);
    if (text === "RIGHT" && /^(?:JOIN|OUTER)$/.test(next?.text ?? "")) {
      add(part, "RIGHT JOIN is not supported: swap the tables and use LEFT JOIN");
    }
    if (text === "ORDER" && next?.text === "BY" && !isInWindow(parts, at)) {
      add(part, "ORDER BY is only supported in a window clause: sort the rows afterwards");
    }
    if (text !== "CUSTOM_PARAMETER") return;
    const name = parts[at + 2];
    if (next?.text !== "(" || name?.kind !== "text" || parts[at + 3]?.text !== ")") {
      add(
        part,
        "CUSTOM_PARAMETER takes the name of a parameter in quotes, such as CUSTOM_PARAMETER('minimum')",
      );
      return;
    }
    const word = name.text.slice(1, -1);
    used.add(word);
    if (!parameters.includes(word)) add(name, `Parameter "${word}" is not declared in the head`);
  });
  const open = parts.reduce((sum, { text }) => sum + (text === "(" ? 1 : text === ")" ? -1 : 0), 0);
  if (open !== 0) add(parts.at(-1) ?? first, open > 0 ? 'A ")" is missing' : 'A "(" is missing');
  if (
    !parts.some(({ text, kind }, at) =>
      kind === "word" && AGGREGATES.test(text) && parts[at + 1]?.text === "("
    )
  ) {
    add(first, "The query needs an aggregate function such as COUNT or SUM: raw rows are never returned");
  }
  for (const name of parameters.filter((one) => !used.has(one))) {
    add(first, `Parameter "${name}" is declared in the head and not used`);
  }
  return problems;
}

function partsOf(sql: string, firstLine: number): Part[] {
  const parts: Part[] = [];
  let line = firstLine;
  let depth = 0;
  for (const { 0: found, groups = {} } of sql.matchAll(PARTS)) {
    const { text, word, other } = groups;
    if (other === ")") depth--;
    if (word !== undefined) parts.push({ text: word.toUpperCase(), kind: "word", line, depth });
    else if (text !== undefined) parts.push({ text, kind: "text", line, depth });
    else if (other !== undefined) parts.push({ text: other, kind: "other", line, depth });
    if (other === "(") depth++;
    line += found.split("\n").length - 1;
  }
  return parts;
}

function isInWindow(parts: readonly Part[], at: number): boolean {
  const depth = parts[at]?.depth ?? 0;
  const open = parts.slice(0, at).findLastIndex((part) => part.text === "(" && part.depth === depth - 1);
  const before = parts[open - 1];
  return open > 0 &&
    (before?.text === "OVER" || (before?.text === "AS" && parts[open + 1]?.text !== "SELECT") ||
      before?.text === "GROUP");
}
