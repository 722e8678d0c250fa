import { type ASTNode, Environment, EvaluationError } from "@marcbachmann/cel-js";
import { namePattern } from "./name_pattern.ts";

const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

type Parsed = ReturnType<Environment["parse"]>;

export function celEnvironment(): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 500, maxDepth: 30, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 8 },
  });
  made.registerFunction(
    "like(string, string): bool",
    (text: string, pattern: string) => namePattern(pattern)(text),
  );
  // Numbers of the account are doubles; a literal such as 2 is an int. They mix freely here, as they do on paper.
  const operators: readonly (readonly [string, (a: number, b: number) => number])[] = [
    ["+", (a, b) => a + b],
    ["-", (a, b) => a - b],
    ["*", (a, b) => a * b],
    ["/", (a, b) => a / b],
  ];
  for (const [sign, run] of operators) {
    made.registerOperator(`int ${sign} double: double`, (a: bigint, b: number) => run(Number(a), b));
    made.registerOperator(`double ${sign} int: double`, (a: number, b: bigint) => run(a, Number(b)));
  }
  made.registerOperator("double == int", (a: number, b: bigint) => a === Number(b));
  return made;
}

/**
 * `explain` receives the paths of all names when type checking fails, and may throw a more specific error.
 *
 * @throws {SyntaxError} with the problem and its position.
 */
export function compileBoolean(
  environment: Environment,
  text: string,
  explain?: (paths: readonly (readonly string[])[]) => void,
): { readonly parsed: Parsed; readonly paths: readonly (readonly string[])[] } {
  const parsed = parse(environment, text);
  refuseCostly(parsed.ast);
  const paths = pathsIn(parsed.ast);
  const { valid, type, error } = parsed.check();
  if (!valid) {
    explain?.(paths);
    throw new SyntaxError(celMessage(error));
  }
  if (type !== "bool") throw new SyntaxError(`The condition must be true or false, and is of type ${type}`);
  return { parsed, paths };
}

export function failureOf(error: unknown): { readonly why: string; readonly missing?: readonly string[] } {
  if (!(error instanceof EvaluationError)) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
  if (error.code !== "no_such_key" && error.code !== "unknown_variable") return { why: error.summary };
  const missing = error.node === undefined ? [] : pathOf(error.node as ASTNode);
  return { why: `${missing.join(".") || "a value"} is unknown`, missing };
}

/**
 * Converts `acos30d > 30%` to `acos30d > 0.3`.
 *
 * @throws {SyntaxError} when a share is compared with a number that is probably meant in percent.
 */
function withShares(text: string): string {
  // Texts in quotes stay as they are, and so does the remainder of a division.
  return text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/).map((part, at) => {
    if (at % 2 === 1) return part;
    const [, name, number] =
      /(?:^|[(&|!?:])\s*(?:figures\.)?((?:acos|ctr|cvr)\d*d?\w*)\s*[<>]=?\s*(\d+(?:\.\d+)?)(?![\d.]*\s*%)/
        .exec(part) ??
        [];
    if (Number(number) >= 10) {
      throw new SyntaxError(`${name} is a share, and ${number} is ${number}00 %. Write ${number}%`);
    }
    return part.replace(
      /(\d+(?:\.\d+)?)\s*%(?!\s*[\w.(])/g,
      (_, percent: string) => {
        const share = String(Number((Number(percent) / 100).toFixed(10)));
        return share.includes(".") ? share : `${share}.0`;
      },
    );
  }).join("");
}

function parse(environment: Environment, text: string): Parsed {
  const written = withShares(text);
  try {
    return environment.parse(written);
  } catch (error) {
    throw new SyntaxError(singleEquals(text) ?? celMessage(error));
  }
}

function singleEquals(text: string): string | undefined {
  const outside = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
  return /(?<![=<>!])=(?![=<>])/.test(outside)
    ? 'Values are compared with "==", and not with "="'
    : undefined;
}

/** Both `figures.acos30d` and `figures["acos30d"]` give the same path; a list element has the list's path. */
function pathOf(node: ASTNode): string[] {
  if (node.op === "id") return [node.args];
  if (node.op !== "." && node.op !== "[]") return [];
  const [owner, field] = node.args;
  const path = pathOf(owner);
  const name = typeof field === "object" && field.op === "value" ? field.args : field;
  return path.length > 0 && typeof name === "string" ? [...path, name] : path;
}

export function pathsIn(node: ASTNode): string[][] {
  const own = pathOf(node);
  if (own.length > 0) return [own];
  const found = childrenOf(node.args).flatMap(pathsIn);
  if (node.op !== "rcall" || !MACROS.has(node.args[0])) return found;
  const [variable = ""] = node.args[2].flatMap(pathOf);
  return found.filter(([root]) => root !== variable);
}

/** Rejects `matches`, which can block for seconds, and deeply nested macros, which grow fast. */
function refuseCostly(node: ASTNode, depth = 0): void {
  let inside = depth;
  if (node.op === "rcall" || node.op === "call") {
    const [name] = node.args;
    if (name === "matches") {
      throw new SyntaxError('Cannot use matches(): a pattern can take seconds. Use like(text, "Brand*")');
    }
    if (MACROS.has(name)) inside += 1;
    if (inside > 2) throw new SyntaxError("Cannot nest more than two macros");
  }
  for (const child of childrenOf(node.args)) refuseCostly(child, inside);
}

function childrenOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  return typeof args === "object" && args !== null && "op" in args && "args" in args ? [args as ASTNode] : [];
}

function celMessage(error: unknown): string {
  const { summary, range } = error as { summary?: string; range?: { start: number } };
  const what = summary?.replace("Unexpected token: EOF", "It ends before it is complete");
  return `${what ?? String(error)}${range === undefined ? "" : ` (character ${range.start + 1})`}`;
}
