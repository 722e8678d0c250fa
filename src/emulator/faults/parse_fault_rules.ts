import { isObject, type Json, parseJson } from "../core/json.ts";
import { faultProfile } from "./fault_profiles.ts";
import type { FaultRule } from "./fault_rule.ts";
import { readFileSync } from "node:fs";
import { parseQuirks, type Quirks } from "../core/quirks.ts";

type Check = (value: unknown) => boolean;

const MATCH: Readonly<Record<string, Check>> = {
  operation: isText,
  path: isText,
  method: isText,
  profileId: isText,
  region: isText,
};

const FIELDS: Readonly<Record<string, Check>> = {
  name: isText,
  match: (value) => hasOnly(value, MATCH),
  skip: isCount,
  times: isCount,
  every: (value) => isCount(value) && value !== 0,
  probability: (value) => typeof value === "number" && value >= 0 && value <= 1,
  effects: (value) => hasOnly(value, EFFECTS),
};

const RESPONSE: Readonly<Record<string, Check>> = {
  status: isStatus,
  body: () => true,
  headers: (headers) => isObject(headers) && Object.values(headers).every(isText),
  retryAfter: (wait) => isText(wait) || isAmount(wait),
  acted: isFlag,
};

const EFFECTS: Readonly<Record<string, Check>> = {
  delay: isAmount,
  drop: (value) => value === "before" || value === "after",
  response: isResponse,
  answer: isResponse,
  requestsPerSecond: isAmount,
  expireToken: isFlag,
  acceptedBut429: isFlag,
  reportOutcome: (value) => ["COMPLETED", "FAILED", "FAILURE", "CANCELLED"].includes(String(value)),
  reportSeconds: isAmount,
  itemErrors: (value) =>
    hasOnly(value, {
      errorType: isText,
      at: (list) => Array.isArray(list) && list.every(isCount),
      every: (count) => isCount(count) && count !== 0,
      acted: isFlag,
    }) && isText((value as { errorType?: unknown }).errorType),
  shuffleSuccess: isFlag,
  emptyPage: isFlag,
  unknownEnum: (value) =>
    hasOnly(value, { field: isText, value: isText }) && Object.keys(value as object).length === 2,
  truncate: isCount,
  corruptGzip: isFlag,
};

/**
 * Reads fault rules that came from outside: an array of rules, `{ profile: "storm" }`, `{ rules: [...] }`, or both, the
 * rules after those of the profile.
 *
 * @throws {RangeError} that names the rule and the field that cannot be used.
 */
export function parseFaultRules(value: Json | undefined): FaultRule[] {
  if (isObject(value) && value.profile !== undefined) {
    return [...faultProfile(String(value.profile)), ...checkRules(value.rules ?? [])];
  }
  return checkRules(isObject(value) ? value.rules : value);
}

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];
const REGIONS = ["NA", "EU", "FE", "SANDBOX"];
/** A path below a host, or a pattern of one: no query, and no slash at its end. */
const PATH = /^(?:\*|\/|[/*][^?#]*[^/?#])$/;

/**
 * Refuses rules that no request can match.
 *
 * @throws {RangeError} that names every one of them.
 */
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

function checkRules(rules: Json | undefined): FaultRule[] {
  if (!Array.isArray(rules)) {
    throw new RangeError(
      `Cannot set faults: expected a list of rules, {"rules": [...]} or {"profile": "storm"}`,
    );
  }
  for (const [index, rule] of rules.entries()) {
    if (!isObject(rule)) throw new RangeError(`Cannot set faults: rule ${index} is not an object`);
    for (const [field, part] of Object.entries(rule)) {
      const check = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
      if (check === undefined) {
        throw new RangeError(
          `Cannot set faults: rule ${index} has the unknown field "${field}". Expected one of ${
            Object.keys(FIELDS).join(", ")
          }`,
        );
      }
      if (!check(part)) {
        throw new RangeError(
          `Cannot set faults: "${field}" of rule ${index} is invalid${whyNot(field, part)}`,
        );
      }
    }
    if (rule.effects === undefined) throw new RangeError(`Cannot set faults: rule ${index} has no "effects"`);
  }
  return rules as unknown as FaultRule[];
}

/** Describes the problem inside of `match` or `effects`. */
function whyNot(field: string, value: Json | undefined): string {
  const known = { match: MATCH, effects: EFFECTS }[field];
  if (known === undefined) return "";
  if (!isObject(value)) return ": it is not an object";
  const [name] = Object.entries(value).find(([name, part]) =>
    !Object.hasOwn(known, name) || !known[name]!(part)
  )!;
  return Object.hasOwn(known, name)
    ? `: its "${name}" is ${JSON.stringify(value[name])}`
    : `: "${name}" is unknown. Known ${field === "effects" ? field : "fields"} are ${
      Object.keys(known).filter((each) => each !== "answer").join(", ")
    }`;
}

function isResponse(value: unknown): boolean {
  return hasOnly(value, RESPONSE) && isObject(value) && isStatus(value.status);
}

function hasOnly(value: unknown, checks: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
  return isObject(value) &&
    Object.entries(value).every(([field, part]) => Object.hasOwn(checks, field) && checks[field]!(part));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isCount(value: unknown): boolean {
  return isAmount(value) && Number.isInteger(value);
}

function isStatus(value: unknown): boolean {
  return isCount(value) && (value as number) >= 200 && (value as number) <= 599;
}

/** Contents of a faults file. */
export interface FaultFile {
  readonly rules: readonly FaultRule[];
  readonly quirks: Partial<Quirks>;
}

/**
 * Reads a JSON file with faults: a list of rules, or an object with optional `profile`, `rules` and `quirks`.
 *
 * @throws {RangeError} when it cannot be read or used.
 */
export function readFaultFile(path: string): FaultFile {
  try {
    const content: Json = parseJson(readFileSync(path, "utf8"));
    if (!isObject(content)) return { rules: parseFaultRules(content), quirks: {} };
    const { quirks = {}, ...faults } = content;
    const unknown = Object.keys(faults).find((name) => name !== "profile" && name !== "rules");
    if (unknown !== undefined) throw new RangeError(`the field "${unknown}" is unknown`);
    return { rules: parseFaultRules({ rules: [], ...faults }), quirks: parseQuirks(quirks) };
  } catch (cause) {
    throw new RangeError(`Cannot use the fault file "${path}": ${(cause as Error).message}`, { cause });
  }
}
