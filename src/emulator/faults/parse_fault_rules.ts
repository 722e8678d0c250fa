import { isObject, type Json, parseJson } from "../core/json.ts";
import { faultProfile } from "./fault_profiles.ts";
import type { FaultRule } from "./fault_rule.ts";
import { readFileSync } from "node:fs";
import { parseQuirks, type Quirks } from "../core/quirks.ts";

type Shape = readonly [test: (value: unknown) => boolean, expected: string] | Fields;

interface Fields {
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

const TEXT: Shape = [isText, "text"];
const FLAG: Shape = [(value) => typeof value === "boolean", "true or false"];
const AMOUNT: Shape = [isAmount, "a number from 0"];
const COUNT: Shape = [isCount, "a whole number from 0"];
const POSITIVE: Shape = [(value) => isCount(value) && value !== 0, "a whole number from 1"];

const RESPONSE: Shape = {
  fields: {
    status: [(value) => isCount(value) && (value as number) >= 200 && (value as number) <= 599, "200 to 599"],
    body: [() => true, "anything"],
    headers: [
      (value) => isObject(value as Json) && Object.values(value as object).every(isText),
      "an object of texts",
    ],
    retryAfter: [(value) => isText(value) || isAmount(value), "seconds or text"],
    acted: FLAG,
  },
  required: ["status"],
};

const RULE: Fields = {
  fields: {
    name: TEXT,
    match: { fields: { operation: TEXT, path: TEXT, method: TEXT, profileId: TEXT, region: TEXT } },
    skip: COUNT,
    times: COUNT,
    every: POSITIVE,
    probability: [(value) => isAmount(value) && (value as number) <= 1, "a number from 0 to 1"],
    effects: {
      fields: {
        delay: AMOUNT,
        drop: oneOf("before", "after"),
        response: RESPONSE,
        requestsPerSecond: AMOUNT,
        expireToken: FLAG,
        acceptedBut429: FLAG,
        reportOutcome: oneOf("COMPLETED", "FAILED", "FAILURE", "CANCELLED"),
        reportSeconds: AMOUNT,
        itemErrors: {
          fields: {
            errorType: TEXT,
            at: [(value) => Array.isArray(value) && value.every(isCount), "a list of whole numbers"],
            every: POSITIVE,
            acted: FLAG,
          },
          required: ["errorType"],
        },
        shuffleSuccess: FLAG,
        emptyPage: FLAG,
        unknownEnum: { fields: { field: TEXT, value: TEXT }, required: ["field", "value"] },
        truncate: COUNT,
        corruptGzip: FLAG,
      },
    },
  },
  required: ["effects"],
};

const FORMER: Readonly<Record<string, string>> = { answer: "response" };

/**
 * Accepts an array of rules, a profile name, `{ profile: "storm" }`, `{ rules: [...] }`, or an object with both. In
 * that case, the given rules follow those of the profile.
 *
 * @throws {RangeError} listing every invalid field.
 */
export function parseFaultRules(value: unknown): readonly FaultRule[] {
  if (typeof value === "string") return faultProfile(value);
  if (!isObject(value as Json)) return checkRules(value);
  const { profile, rules, keep: _, ...others } = value as {
    profile?: unknown;
    rules?: unknown;
    keep?: unknown;
  };
  const unknown = Object.keys(others);
  if (unknown.length > 0) {
    throw new RangeError(
      `Cannot set faults: ${unknown.map((name) => `"${name}"`).join(", ")} ${
        unknown.length === 1 ? "is" : "are"
      } unknown. Expected "profile", "rules" or both`,
    );
  }
  if (profile === undefined) return checkRules(rules);
  return [...faultProfile(String(profile)), ...checkRules(rules ?? [])];
}

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];
const REGIONS = ["NA", "EU", "FE", "SANDBOX"];
const PATH = /^(?:\*|\/|[/*][^?#]*[^/?#])$/;

/** @throws {RangeError} naming every rule that can never match. */
export function ensureMatchable(rules: readonly FaultRule[]): void {
  const problems = rules.flatMap(({ match: { path, method, region } = {} }, index) => [
    ...(path === undefined || PATH.test(path) ? [] : [
      `"path" of rule ${index} is "${path}", which matches no request. Write the path without the host, for example ` +
      `"/sp/keywords", and "*" for any text, for example "/files/*"`,
    ]),
    ...(method === undefined || METHODS.includes(method.toUpperCase())
      ? []
      : [`"method" of rule ${index} is "${method}". Expected one of ${METHODS.join(", ")}`]),
    ...(region === undefined || REGIONS.includes(region)
      ? []
      : [`"region" of rule ${index} is "${region}". Expected one of ${REGIONS.join(", ")}`]),
  ]);
  if (problems.length > 0) throw new RangeError(`Cannot set faults: ${problems.join("\n")}`);
}

function checkRules(rules: unknown): readonly FaultRule[] {
  if (!Array.isArray(rules)) {
    throw new RangeError(
      `Cannot set faults: expected a list of rules, {"rules": [...]} or {"profile": "storm"}`,
    );
  }
  const problems = rules.flatMap((rule, index) => problemsIn(rule, RULE, `rule ${index}`));
  if (problems.length > 0) throw new RangeError(`Cannot set faults: ${problems.join("\n")}`);
  return rules as FaultRule[];
}

function problemsIn(value: unknown, shape: Shape, place: string): string[] {
  if (!("fields" in shape)) {
    const [test, expected] = shape;
    return test(value) ? [] : [`${place} is ${JSON.stringify(value)}. Expected ${expected}`];
  }
  if (!isObject(value as Json)) return [`${place} is not an object`];
  const { fields, required = [] } = shape;
  // Programs may hold fields without a value.
  const given = Object.entries(value as object).filter(([, part]) => part !== undefined);
  const missing = required.filter((name) => !given.some(([field]) => (FORMER[field] ?? field) === name));
  return [
    ...missing.map((name) => `${place} has no "${name}"`),
    ...given.flatMap(([field, part]) => {
      const known = Object.hasOwn(FORMER, field) ? FORMER[field]! : field;
      if (Object.hasOwn(fields, known)) return problemsIn(part, fields[known]!, `"${field}" of ${place}`);
      return [`${place} has the unknown field "${field}". Expected one of ${Object.keys(fields).join(", ")}`];
    }),
  ];
}

function oneOf(...values: readonly string[]): Shape {
  return [(value) => isText(value) && values.includes(value as string), values.join(", ")];
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isCount(value: unknown): boolean {
  return isAmount(value) && Number.isInteger(value);
}

export interface FaultFile {
  readonly rules: readonly FaultRule[];
  readonly quirks: Partial<Quirks>;
}

/**
 * A list of rules, or an object with optional `profile`, `rules` and `quirks`.
 *
 * @throws {RangeError} when the file is unreadable or invalid.
 */
export function readFaultFile(path: string): FaultFile {
  try {
    const content: Json = parseJson(readFileSync(path, "utf8"));
    if (!isObject(content)) return { rules: parseFaultRules(content), quirks: {} };
    const { quirks = {}, ...faults } = content;
    return { rules: parseFaultRules({ rules: [], ...faults }), quirks: parseQuirks(quirks) };
  } catch (cause) {
    throw new RangeError(`Cannot use the fault file "${path}": ${(cause as Error).message}`, { cause });
  }
}
