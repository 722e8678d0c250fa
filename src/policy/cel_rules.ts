import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import type { PolicyRule } from "./policy_document.ts";
import { namePattern } from "./name_pattern.ts";

/** The names that a rule can read. */
export interface RuleFacts {
  readonly change: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly entity: Readonly<Record<string, unknown>>;
  readonly campaign?: Readonly<Record<string, unknown>>;
  readonly market: Readonly<Record<string, unknown>>;
  readonly figures: Readonly<Record<string, unknown>>;
  readonly plan: Readonly<Record<string, unknown>>;
  readonly today: Readonly<Record<string, unknown>>;
}

/** What a rule says of a change. */
export type RuleVerdict = "matches" | "passes" | { readonly failed: string };

/** A rule that was read and checked. */
export interface CompiledRule extends PolicyRule {
  /** Judges one change. Never throws. */
  readonly judge: (facts: RuleFacts) => RuleVerdict;
}

const ENTITY = {
  kind: "string",
  id: "string",
  name: "string",
  state: "string",
  bid: "double",
  budget: "double",
  adjustment: "double",
  keywordText: "string",
  matchType: "string",
  targetingType: "string",
  strategy: "string",
  campaignId: "string",
  adGroupId: "string",
  portfolioId: "string",
  startDate: "string",
  endDate: "string",
  labels: "list<string>",
  fields: "map",
};

/** Figures of the store, each for the last 7, 14 and 30 complete days. */
export const FIGURE_NAMES: readonly string[] = ["clicks", "cost", "sales", "orders", "acos", "impressions"]
  .flatMap((name) => [7, 14, 30].map((days) => `${name}${days}d`));

const SUMS = {
  changes: "double",
  creates: "double",
  updates: "double",
  archives: "double",
  spendIncrease: "double",
};

/** Fields that an entity may lack; a rule that reads one says nothing about a change without it. */
const MAY_LACK: ReadonlySet<string> = new Set(["before", "after", "entity", "campaign", "change"]);

/** Macros that go through a list: two inside each other are the most. */
const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

let shared: Environment | undefined;

/**
 * Compiles a rule of a policy.
 *
 * @throws {SyntaxError} that says what is wrong and at which character.
 */
export function compileRule(rule: PolicyRule): CompiledRule {
  const judge = compile(rule.when);
  return { ...rule, judge };
}

function compile(when: string): (facts: RuleFacts) => RuleVerdict {
  shared ??= environment();
  const parsed = parse(shared, when);
  refuseCostly(parsed.ast);
  const { valid, type, error } = parsed.check();
  if (!valid) throw new SyntaxError(celMessage(error));
  if (type !== "bool") throw new SyntaxError(`The condition must be true or false, and is of type ${type}`);
  return (facts) => {
    let value: unknown;
    try {
      value = parsed(facts);
    } catch (error) {
      return verdictOf(error, facts);
    }
    return value === true
      ? "matches"
      : value === false
      ? "passes"
      : { failed: "it is neither true nor false" };
  };
}

function parse(environment: Environment, when: string): ReturnType<Environment["parse"]> {
  try {
    return environment.parse(when);
  } catch (error) {
    throw new SyntaxError(celMessage(error));
  }
}

/** A field that the entity lacks makes the rule pass; a figure or sum that is unknown must not. */
function verdictOf(error: unknown, facts: RuleFacts): RuleVerdict {
  if (!(error instanceof EvaluationError)) return { failed: String(error) };
  const path = error.node === undefined ? [] : pathOf(error.node as ASTNode);
  const [root = ""] = path;
  const missing = error.code === "no_such_key" || error.code === "unknown_variable";
  if (missing && MAY_LACK.has(root) && !(root === "campaign" && facts.change["campaignUnknown"] === true)) {
    return "passes";
  }
  if (missing) return { failed: `${path.join(".") || "a value"} is unknown` };
  return { failed: error.summary };
}

function pathOf(node: ASTNode): string[] {
  if (node.op === "id") return [node.args];
  if (node.op === "." || node.op === ".?") return [...pathOf(node.args[0]), node.args[1]];
  if (node.op === "[]") return pathOf(node.args[0]);
  return [];
}

function environment(): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 500, maxDepth: 30, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 8 },
  });
  made.registerVariable({
    name: "change",
    schema: {
      kind: "string",
      op: "string",
      id: "string",
      label: "string",
      campaignId: "string",
      fields: "list<string>",
      increase: "double",
      campaignUnknown: "bool",
    },
  });
  for (const name of ["before", "after", "entity", "campaign"]) {
    made.registerVariable({ name, schema: ENTITY });
  }
  made.registerVariable({
    name: "market",
    schema: { country: "string", currency: "string", day: "string", hour: "double", weekday: "string" },
  });
  made.registerVariable({
    name: "figures",
    schema: Object.fromEntries(FIGURE_NAMES.map((name) => [name, "double"])),
  });
  made.registerVariable({ name: "plan", schema: { ...SUMS, note: "string", source: "string" } });
  made.registerVariable({ name: "today", schema: SUMS });
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
