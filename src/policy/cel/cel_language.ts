import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { namePattern } from "../name_pattern.ts";

/** Macros that go through a list: two inside each other are the most. */
const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

type Parsed = ReturnType<Environment["parse"]>;

/** An environment of the language that conditions are written in, without variables. */
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
 * Compiles a condition, which is true or false.
 *
 * @param explain Gets the names that a condition reads, each as its path, when the check of types fails; may throw a
 * better error than that of the language.
 * @throws {SyntaxError} that says what is wrong and at which character.
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

/** The name that an evaluation failed at, as its path; empty when it is not known. */
export function pathOfFailure(error: EvaluationError): string[] {
  return error.node === undefined ? [] : pathOf(error.node as ASTNode);
}

function parse(environment: Environment, text: string): Parsed {
  try {
    return environment.parse(text);
  } catch (error) {
    throw new SyntaxError(celMessage(error));
  }
}

function pathOf(node: ASTNode): string[] {
  if (node.op === "id") return [node.args];
  if (node.op === "." || node.op === ".?") return [...pathOf(node.args[0]), node.args[1]];
  if (node.op === "[]") return pathOf(node.args[0]);
  return [];
}

/** Every name that is read, as its path. */
function pathsIn(node: ASTNode): string[][] {
  const own = pathOf(node);
  return own.length > 0 ? [own] : childrenOf(node.args).flatMap(pathsIn);
}

/** `matches` can block for seconds, and lists inside lists grow fast. */
function refuseCostly(node: ASTNode, depth = 0): void {
  let inside = depth;
  if (node.op === "rcall" || node.op === "call") {
    const [name] = node.args;
    if (name === "matches") {
      throw new SyntaxError('Cannot use matches(): a pattern can take seconds. Use like(text, "Brand*")');
    }
    if (MACROS.has(name)) inside += 1;
    if (inside > 2) throw new SyntaxError("Cannot use more than two macros inside each other");
  }
  for (const child of childrenOf(node.args)) refuseCostly(child, inside);
}

function childrenOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  return typeof args === "object" && args !== null && "op" in args && "args" in args ? [args as ASTNode] : [];
}

function celMessage(error: unknown): string {
  if (error instanceof ParseError || error instanceof EvaluationError) {
    const at = error.range === undefined ? "" : ` (character ${error.range.start + 1})`;
    return `${error.summary}${at}`;
  }
  const { summary, message, range } = error as {
    summary?: string;
    message?: string;
    range?: { start: number };
  };
  const at = range === undefined ? "" : ` (character ${range.start + 1})`;
  return `${summary ?? message?.split("\n")[0] ?? "The condition cannot be read"}${at}`;
}
