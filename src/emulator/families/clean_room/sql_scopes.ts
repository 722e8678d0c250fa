import { type PrivacyClass, privacyOf, strictest } from "./published_tables.ts";

/** Hidden column with the shoppers of a row, carried through the query. */
export const USERS = "__users";

export interface Token {
  readonly kind: "word" | "text" | "name" | "number" | "mark";
  /** Words are in upper case. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

export class QueryProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "QueryProblem";
  }
}

const PARTS =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|`[^`]*`)|(?<number>\d[\w.]*)|(?<word>[A-Za-z_]\w*)|(?<mark>[^])/gy;

export function sqlTokens(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const { 0: found, index, groups = {} } of sql.matchAll(PARTS)) {
    const kind = (["text", "name", "number", "word", "mark"] as const).find((one) =>
      groups[one] !== undefined
    );
    if (kind === undefined) continue;
    if (found === ")") depth--;
    if (depth < 0) throw new QueryProblem(`Unexpected ")" at character ${index + 1}`);
    tokens.push({
      kind,
      text: kind === "word" ? found.toUpperCase() : found,
      start: index,
      end: index + found.length,
      depth,
    });
    if (found === "(") depth++;
  }
  if (depth > 0) throw new QueryProblem('A ")" is missing');
  return tokens;
}

const AGGREGATES = new Set(["COUNT", "SUM", "AVG", "MIN", "MAX"]);
const SET_WORDS = new Set(["UNION", "EXCEPT", "INTERSECT"]);
const AFTER_SOURCES = new Set(["WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", ...SET_WORDS]);
const NOT_ALIAS = new Set([
  ...AFTER_SOURCES,
  "ON",
  "USING",
  "JOIN",
  "LEFT",
  "INNER",
  "CROSS",
  "FULL",
  "RIGHT",
  "NATURAL",
  "OUTER",
]);

export interface OutputColumn {
  readonly name: string;
  readonly privacy: PrivacyClass;
  readonly isMetric: boolean;
}

export interface ScopedQuery {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
}

/** Checks the platform's SQL rules and adds the shoppers column to every select whose rows reach the result. */
export function scopeQuery(sql: string): ScopedQuery {
  const tokens = sqlTokens(sql.replace(/;\s*$/, ""));
  checkRules(tokens);
  const scopes = tokens.flatMap((token, at) => token.text === "SELECT" && token.kind === "word" ? [at] : [])
    .map((at) => readScope(tokens, at))
    .sort((a, b) => b.depth - a.depth || a.at - b.at);
  const derived = new Map<string, PrivacyClass>();
  let columns: readonly OutputColumn[] | undefined;
  for (const scope of scopes) {
    const isResult = scope.depth === 0;
    const own = scope.items.map((item) => outputColumn(item, { derived, isResult, sql }));
    for (const { name, privacy } of own) {
      derived.set(name.toLowerCase(), strictest([privacy, derived.get(name.toLowerCase()) ?? "NONE"]));
    }
    if (!isResult) continue;
    if (!scope.aggregates) throw new QueryProblem("The result needs at least one aggregate function");
    columns ??= own;
  }
  if (columns === undefined) throw new QueryProblem("The query has no SELECT");
  const inserts = scopes.flatMap((scope) => scope.goesOn ? [hiddenColumn(scope)] : [])
    .sort((a, b) => b.at - a.at);
  const text = inserts.reduce(
    (query, { at, text }) => query.slice(0, at) + text + query.slice(at),
    sql.replace(/;\s*$/, ""),
  );
  return { sql: text, columns };
}

interface Scope {
  readonly at: number;
  readonly depth: number;
  readonly items: readonly (readonly Token[])[];
  readonly sources: readonly (string | undefined)[];
  readonly aggregates: boolean;
  /** False for compared subqueries, whose rows do not reach the result. */
  readonly goesOn: boolean;
  readonly end: number;
}

function readScope(tokens: readonly Token[], at: number): Scope {
  const { depth = 0 } = tokens[at] ?? {};
  const rest = tokens.slice(at + 1);
  const over = rest.findIndex((token) =>
    token.depth < depth || (token.depth === depth && isWord(token, SET_WORDS))
  );
  const inside = over === -1 ? rest : rest.slice(0, over);
  const from = inside.findIndex((token) => token.depth === depth && token.text === "FROM");
  const selected = from === -1 ? inside : inside.slice(0, from);
  const after = from === -1 ? [] : inside.slice(from + 1);
  const tail = after.findIndex((token) => token.depth === depth && isWord(token, AFTER_SOURCES));
  const list = selected[0]?.text === "DISTINCT" ? selected.slice(1) : selected;
  const grouped = after.some((token, index) =>
    token.depth === depth && token.text === "GROUP" && after[index + 1]?.text === "BY"
  );
  const last = selected.at(-1);
  if (last === undefined) throw new QueryProblem("A SELECT has no columns");
  return {
    at,
    depth,
    items: splitAtCommas(list, depth),
    sources: sourcesOf(tail === -1 ? after : after.slice(0, tail), depth),
    aggregates: grouped || list.some((token, index) => isAggregate(list, token, index)),
    goesOn: goesOn(tokens, at, depth),
    end: last.end,
  };
}

function isAggregate(list: readonly Token[], token: Token, index: number): boolean {
  if (!isWord(token, AGGREGATES) || list[index + 1]?.text !== "(") return false;
  const close = list.findIndex((one, at) => at > index && one.text === ")" && one.depth === token.depth);
  return list[close + 1]?.text !== "OVER";
}

function goesOn(tokens: readonly Token[], at: number, depth: number): boolean {
  if (depth === 0) return true;
  const open = tokens.slice(0, at).findLastIndex((token) => token.text === "(" && token.depth === depth - 1);
  return ["FROM", "JOIN", "AS", ","].includes(tokens[open - 1]?.text ?? "");
}

function sourcesOf(list: readonly Token[], depth: number): (string | undefined)[] {
  const sources: (string | undefined)[] = [];
  let expected = true;
  for (let at = 0; at < list.length; at++) {
    const token = list[at];
    if (token === undefined || token.depth !== depth) continue;
    if (expected) {
      expected = false;
      let name = token.kind === "word" ? token.text : token.kind === "name" ? token.text : undefined;
      if (token.text === "(") {
        at = list.findIndex((one, index) => index > at && one.text === ")" && one.depth === depth);
      }
      const next = list[at + 1]?.text === "AS" ? at + 2 : at + 1;
      const alias = list[next];
      if (
        alias !== undefined &&
        (alias.kind === "name" || (alias.kind === "word" && !NOT_ALIAS.has(alias.text)))
      ) {
        name = alias.text;
        at = next;
      }
      sources.push(name);
    } else if (token.text === "JOIN" || token.text === ",") expected = true;
  }
  return sources;
}

function hiddenColumn({ sources, aggregates, end }: Scope): { at: number; text: string } {
  const parts = sources.map((name) =>
    `coalesce(${name === undefined || sources.length === 1 ? USERS : `${name}.${USERS}`}, '')`
  );
  const users = parts.length === 0 ? "''" : parts.join(" || ',' || ");
  return { at: end, text: `, ${aggregates ? `group_concat(DISTINCT ${users})` : users} AS ${USERS} ` };
}

function outputColumn(
  item: readonly Token[],
  { derived, isResult, sql }: { derived: ReadonlyMap<string, PrivacyClass>; isResult: boolean; sql: string },
): OutputColumn {
  const last = item.at(-1);
  if (item.length === 0 || last === undefined) throw new QueryProblem("A selected expression is empty");
  if (
    isResult &&
    item.some(({ text }, at) => text === "*" && item[at - 1]?.text !== "(" && at === item.length - 1)
  ) {
    throw new QueryProblem('The result cannot select "*": name its columns');
  }
  const named = item.length > 1 && (item.at(-2)?.text === "AS" || item.at(-2)?.kind !== "mark");
  const isLone = item.length === 1 || item.at(-2)?.text === ".";
  const name = named || isLone
    ? sql.slice(last.start, last.end).replace(/^["`]|["`]$/g, "")
    : sql.slice(item[0]?.start, last.end);
  const used = named ? item.slice(0, -1) : item;
  const classes = used.flatMap((token, at): PrivacyClass[] => {
    if (token.kind !== "word" || used[at + 1]?.text === "(" || used[at + 1]?.text === ".") return [];
    const written = token.text.toLowerCase();
    const privacy = derived.get(written) ?? privacyOf(written);
    if (privacy !== "VERY_HIGH") return privacy === undefined ? [] : [privacy];
    if (isCounted(used, at)) return ["LOW"];
    if (isResult) {
      throw new QueryProblem(
        `Column "${written}" cannot be in the result by itself: use COUNT(DISTINCT ${written})`,
      );
    }
    return [privacy];
  });
  return {
    name,
    privacy: strictest(classes),
    isMetric: used.some((token, at) => isAggregate(used, token, at)),
  };
}

function isCounted(tokens: readonly Token[], at: number): boolean {
  let depth = tokens[at]?.depth ?? 0;
  for (let before = at - 1; before >= 0; before--) {
    const token = tokens[before];
    if (token?.text !== "(" || token.depth >= depth) continue;
    if (tokens[before - 1]?.text === "COUNT") return true;
    depth = token.depth;
  }
  return false;
}

function splitAtCommas(tokens: readonly Token[], depth: number): Token[][] {
  const items: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === "," && token.depth === depth) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

function isWord({ kind, text }: Token, words: ReadonlySet<string>): boolean {
  return kind === "word" && words.has(text);
}

const FORBIDDEN = new Set([
  "INSERT",
  "UPDATE",
  "DELETE",
  "CREATE",
  "DROP",
  "ATTACH",
  "PRAGMA",
  "ALTER",
  "REPLACE",
]);

function checkRules(tokens: readonly Token[]): void {
  const [first] = tokens;
  if (first?.text !== "SELECT" && first?.text !== "WITH") {
    throw new QueryProblem("The query must begin with SELECT or WITH");
  }
  tokens.forEach((token, at) => {
    if (token.kind === "mark" && token.text === ";") throw new QueryProblem("Only one statement is allowed");
    if (token.kind !== "word") return;
    if (token.text === "LIMIT") throw new QueryProblem("LIMIT is not supported");
    if (token.text === "RIGHT" && ["JOIN", "OUTER"].includes(tokens[at + 1]?.text ?? "")) {
      throw new QueryProblem("RIGHT JOIN is not supported");
    }
    if (token.text === "GETDATE") throw new QueryProblem("Function GETDATE is not known");
    if (FORBIDDEN.has(token.text) && tokens[at + 1]?.text !== "(") {
      throw new QueryProblem(`${token.text} is not supported`);
    }
    if (token.text === "ORDER" && !isInWindow(tokens, at)) {
      throw new QueryProblem("ORDER BY is only supported in a window");
    }
  });
}

function isInWindow(tokens: readonly Token[], at: number): boolean {
  const { depth = 0 } = tokens[at] ?? {};
  const open = tokens.slice(0, at).findLastIndex((token) => token.text === "(" && token.depth === depth - 1);
  return open > 0 && ["OVER", "AS"].includes(tokens[open - 1]?.text ?? "") &&
    tokens[open + 1]?.text !== "SELECT";
}
