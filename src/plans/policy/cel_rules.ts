import type { Environment } from "@marcbachmann/cel-js";
import { celEnvironment, compileBoolean, failureOf } from "./cel_language.ts";
import type { PolicyRule } from "./policy_document.ts";

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

export type RuleVerdict = "matches" | "passes" | {
  readonly failed: string;
  /** True if a figure is unknown in a rule that does not depend on the direction of the change. */
  readonly isUnknown?: boolean;
};

export interface CompiledRule extends PolicyRule {
  readonly judge: (facts: RuleFacts) => RuleVerdict;
}

export const ENTITY_SCHEMA = {
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

export const FIGURE_NAMES: readonly string[] = ["clicks", "cost", "sales", "orders", "acos", "impressions"]
  .flatMap((name) => [7, 14, 30].map((days) => `${name}${days}d`));

const SUMS = {
  changes: "double",
  creates: "double",
  updates: "double",
  archives: "double",
  spendIncrease: "double",
};

const MAY_LACK: ReadonlySet<string> = new Set(["before", "after", "entity", "campaign", "change"]);

let shared: Environment | undefined;

export function compileRule(rule: PolicyRule): CompiledRule {
  const judge = compile(rule.when);
  return { ...rule, judge };
}

function compile(when: string): (facts: RuleFacts) => RuleVerdict {
  shared ??= environment();
  const { parsed, paths } = compileBoolean(shared, when);
  const asksWay = paths.some(([root = "", field = ""]) =>
    field === "state" || root === "change" && field === "increase"
  );
  return (facts) => {
    let value: unknown;
    try {
      value = parsed(facts);
    } catch (error) {
      return verdictOf(error, { facts, asksWay });
    }
    return value === true
      ? "matches"
      : value === false
      ? "passes"
      : { failed: "it is neither true nor false" };
  };
}

/** A missing field makes the rule pass; an unknown figure or sum must not. */
function verdictOf(
  error: unknown,
  { facts, asksWay }: { readonly facts: RuleFacts; readonly asksWay: boolean },
): RuleVerdict {
  const { why, missing: [root = "", field] = [] } = failureOf(error);
  const isUnread = root === "campaign"
    ? facts.change["campaignUnknown"] === true
    : field === "bid" && facts.change["bidUnknown"] === true;
  if (MAY_LACK.has(root) && !isUnread) return "passes";
  const isUnknown = !asksWay && (root === "figures" || field === "spendIncrease");
  return isUnknown ? { failed: why, isUnknown } : { failed: why };
}

function environment(): Environment {
  const made = celEnvironment();
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
      bidUnknown: "bool",
    },
  });
  for (const name of ["before", "after", "entity", "campaign"]) {
    made.registerVariable({ name, schema: ENTITY_SCHEMA });
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
  return made;
}
