import type { Environment } from "@marcbachmann/cel-js";
import { nearest } from "../../base/text/nearest.ts";
import { celEnvironment, compileBoolean, failureOf } from "./cel_language.ts";
import { ENTITY_SCHEMA, FIGURE_NAMES } from "./cel_rules.ts";

export interface ConditionFacts {
  readonly entity: Readonly<Record<string, unknown>>;
  readonly adGroup?: Readonly<Record<string, unknown>>;
  readonly campaign?: Readonly<Record<string, unknown>>;
  readonly figures: Readonly<Record<string, number>>;
  readonly bid?: number;
}

export interface Condition {
  readonly text: string;
  readonly days: number;
  /** Numbers of days of the confidence intervals that the condition reads, such as `acos30d.low`. */
  readonly intervals: readonly number[];
  /** True if the condition reads sales, orders or ACOS, which grow for days after a click. */
  readonly readsSales: boolean;
  readonly judge: (facts: ConditionFacts) => boolean | { readonly unknown: string };
}

const PLAIN = { kind: "string", state: "string", matchType: "string", keywordText: "string", bid: "double" };

const INTERVAL_NAMES: readonly string[] = ["acos", "cvr", "ctr"].flatMap((rate) =>
  [7, 14, 30].flatMap((days) => ["est", "low", "high"].map((end) => `${rate}${days}d_${end}`))
);
const ALL_FIGURES: readonly string[] = [...FIGURE_NAMES, ...INTERVAL_NAMES];

let shared: Environment | undefined;

/**
 * CEL as in policies: `acos30d < 0.20 && clicks30d >= 10`; the prefix `figures.` is optional. `.est`, `.low` and
 * `.high` give estimate and interval of acos, cvr (orders per click) and ctr.
 *
 * @throws {RangeError} with the nearest name, or the problem and its position.
 */
export function compileCondition(text: string): Condition {
  shared ??= environment();
  const { parsed, paths } = compiled(shared, text);
  const names = paths.map(([root = "", field = ""]) => root === "figures" ? field : root)
    .filter((name) => ALL_FIGURES.includes(name));
  const daysIn = (of: readonly string[]): number[] => of.map((name) => Number(/(\d+)d/.exec(name)?.[1]));
  return {
    text,
    days: Math.max(0, ...daysIn(names)),
    intervals: [...new Set(daysIn(names.filter((name) => INTERVAL_NAMES.includes(name))))],
    readsSales: names.some((name) => /^(sales|orders|acos|cvr)/.test(name)),
    judge: (facts) => {
      const { entity, figures, bid } = facts;
      const plain = Object.fromEntries(
        Object.keys(PLAIN).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
      );
      try {
        const value: unknown = parsed({
          ...facts,
          ...plain,
          ...figures,
          ...(bid === undefined ? {} : { bid }),
        });
        return typeof value === "boolean" ? value : { unknown: "the condition is neither true nor false" };
      } catch (error) {
        return { unknown: failureOf(error).why };
      }
    },
  };
}

function compiled(environment: Environment, text: string): ReturnType<typeof compileBoolean> {
  try {
    return compileBoolean(environment, withSigns(withIntervals(text)), refuseUnknown);
  } catch (cause) {
    // As they are written: with a dot.
    const why = (cause as Error).message.replaceAll(/\b([a-z]+\d+d)_([a-z]\w*)/g, "$1.$2");
    throw new RangeError(`Cannot read the condition "${text}": ${why}`, { cause });
  }
}

function withIntervals(text: string): string {
  return text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/).map((part, at) =>
    at % 2 === 1 ? part : part.replace(/\b([a-z]+\d+d)\.([a-z]\w*)/g, "$1_$2")
  ).join("");
}

const TOKENS =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:and|or|not)\b|&&|\|\||[()]|[^"'()&|\w]+|\w+|[\s\S]/gi;

function withSigns(text: string): string {
  const tokens = text.match(TOKENS) ?? [];
  if (!tokens.some((token) => /^(?:and|or|not)$/i.test(token))) return text;
  let out = "";
  // Depths at which a "not" ends: it takes what stands before the next "and" or "or", as in speech.
  const open: number[] = [];
  let depth = 0;
  const close = (at: number): void => {
    while (open.length > 0 && open.at(-1)! >= at) {
      open.pop();
      out += ")";
    }
  };
  for (const token of tokens) {
    const word = token.toLowerCase();
    if (word === "and" || word === "or" || token === "&&" || token === "||") {
      close(depth);
      out += word === "and" ? "&&" : word === "or" ? "||" : token;
    } else if (word === "not") {
      open.push(depth);
      out += "!(";
    } else {
      if (token === ")") {
        close(depth);
        depth -= 1;
      }
      if (token === "(") depth += 1;
      out += token;
    }
  }
  close(0);
  return out;
}

function environment(): Environment {
  const made = celEnvironment();
  for (const name of ["entity", "adGroup", "campaign"]) {
    made.registerVariable({ name, schema: ENTITY_SCHEMA });
  }
  made.registerVariable({
    name: "figures",
    schema: Object.fromEntries(ALL_FIGURES.map((name) => [name, "double"])),
  });
  for (const name of ALL_FIGURES) made.registerVariable(name, "double");
  for (const [name, type] of Object.entries(PLAIN)) made.registerVariable(name, type);
  return made;
}

function refuseUnknown(paths: readonly (readonly string[])[]): void {
  const fields = Object.keys(ENTITY_SCHEMA);
  const byRoot: Readonly<Record<string, readonly string[]>> = {
    figures: ALL_FIGURES,
    entity: fields,
    adGroup: fields,
    campaign: fields,
  };
  const roots = [...ALL_FIGURES, ...Object.keys(PLAIN), ...Object.keys(byRoot)];
  for (const [root = "", field] of paths) {
    if (!roots.includes(root)) throw unknownName(root, roots);
    const known = byRoot[root];
    if (field !== undefined && known !== undefined && !known.includes(field)) {
      throw unknownName(`${root}.${field}`, known.map((name) => `${root}.${name}`));
    }
  }
}

function unknownName(name: string, known: readonly string[]): SyntaxError {
  // A rate of few clicks is only estimated: ctr30d.est.
  const near = known.find((one) => one === `${name}_est`) ?? nearest(name, known);
  return new SyntaxError(
    `"${name}" is not known. ` +
      (near === undefined ? `Expected one of ${known.join(", ")}` : `Did you mean "${near}"?`),
  );
}
