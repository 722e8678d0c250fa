import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { ConfigurationError } from "../errors.ts";
import { compileRule } from "./cel/cel_rules.ts";
import { FilePolicy, PLAIN_KEYS } from "./file_policy.ts";
import type { Policy, PolicySources } from "./policy.ts";
import { Labels, POLICY_VERSION, PolicyCase, PolicyDocument } from "./policy_document.ts";

/** Largest policy file, in characters. */
const MAX_TEXT = 1_000_000;

/**
 * Reads the text of a policy file: YAML or JSON. Every problem is reported at once, with its line.
 *
 * @param options.source Name of the file, for messages.
 * @throws {ConfigurationError} when it cannot be used as it is. Nothing may be sent then.
 *
 * @example
 * ```ts
 * import { ChangePlan } from "@platform/ads";
 * import { parsePolicy } from "@platform/ads/policy";
 *
 * const policy = parsePolicy("version: 1\nmax_bid: 2.5");
 * const plan = new ChangePlan({
 *   profileId: "1",
 *   countryCode: "CA",
 *   changes: [{ kind: "sp.keywords", op: "update", id: "9", before: { bid: 2.35 }, after: { bid: 999 }, label: "shoes" }],
 * });
 * for (const { level, message } of policy.check(plan)) console.log(level, message);
 * // deny sp.keywords 9 shoes: bid 999 CAD is above 2.5 CAD
 * ```
 */
export function parsePolicy(
  text: string,
  options: PolicySources & { readonly source?: string } = {},
): Policy {
  const source = options.source ?? "the policy";
  const document = readDocument(text, source);
  if (document.labels_file !== undefined) {
    throw refusal(source, [`labels_file: "${document.labels_file}" is read by loadPolicy alone`]);
  }
  return new FilePolicy(source, document, options);
}

/** Reads and checks a policy file as data. */
export function readDocument(text: string, source: string): PolicyDocument {
  const { data, whereOf } = readYaml(text, source);
  const version = typeof data === "object" && data !== null && "version" in data ? data.version : undefined;
  if (typeof version === "number" && version > POLICY_VERSION) {
    throw refusal(source, [
      `It is of version ${version}, and this release reads version ${POLICY_VERSION}. Install a newer release`,
    ]);
  }
  const document = checked(PolicyDocument, { data, whereOf, source });
  const problems = [...ruleProblems(document, whereOf), ...nameProblems(document, whereOf)];
  if (problems.length > 0) throw refusal(source, problems);
  return document;
}

/**
 * Reads a file of labels: ids by name.
 *
 * @throws {ConfigurationError} when it is malformed.
 */
export function parseLabels(text: string, source: string): PolicyDocument["labels"] {
  return checked(Labels, { ...readYaml(text, source), source });
}

/**
 * Reads the cases under the key `tests` of a policy file or of a file beside it.
 *
 * @throws {ConfigurationError} when they are malformed.
 */
export function parseCases(text: string, source: string): readonly PolicyCase[] {
  const { data, whereOf } = readYaml(text, source);
  return checked(z.looseObject({ tests: z.array(PolicyCase).default([]) }), { data, whereOf, source }).tests;
}

type WhereOf = (path: readonly PropertyKey[]) => string;

function checked<Schema extends z.ZodType>(
  schema: Schema,
  { data, whereOf, source }: { data: unknown; whereOf: WhereOf; source: string },
): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw refusal(source, result.error.issues.map((issue) => issueText(issue, whereOf)));
}

function readYaml(text: string, source: string): { data: unknown; whereOf: WhereOf } {
  if (text.length > MAX_TEXT) throw refusal(source, ["It is larger than 1,000,000 characters"]);
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false });
  const at = (offset: number | undefined): string =>
    offset === undefined ? "" : `Line ${lines.linePos(offset).line}: `;
  if (parsed.errors.length > 0) {
    throw refusal(source, parsed.errors.map(({ message, pos }) => `${at(pos[0])}${message.split("\n")[0]}`));
  }
  const data: unknown = parsed.toJS({ maxAliasCount: 100 });
  if (typeof data !== "object" || data === null) throw refusal(source, ["It is empty"]);
  const whereOf: WhereOf = (path) => {
    for (let length = path.length; length > 0; length--) {
      const node = parsed.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return at(node.range[0]);
    }
    return "";
  };
  return { data, whereOf };
}

function refusal(source: string, problems: readonly string[]): ConfigurationError {
  const shown = problems.slice(0, 100).map((problem) => `\n  ${problem}`).join("");
  const more = problems.length > 100 ? `\n  and ${problems.length - 100} more` : "";
  return new ConfigurationError(`Cannot use ${source}, so nothing may be sent:${shown}${more}`);
}

function issueText(issue: z.core.$ZodIssue, whereOf: WhereOf): string {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const place = path === "" ? "" : ` in ${path}`;
    return `${whereOf([...issue.path, ...issue.keys.slice(0, 1)])}Unknown key ${
      issue.keys.join(", ")
    }${place}`;
  }
  return `${whereOf(issue.path)}${path === "" ? "" : `${path}: `}${issue.message}`;
}

function ruleProblems(
  { rules }: PolicyDocument,
  whereOf: WhereOf,
): string[] {
  return rules.flatMap((rule, index) => {
    try {
      compileRule(rule);
      return [];
    } catch (error) {
      return [`${whereOf(["rules", index, "when"])}rule "${rule.name}": ${(error as Error).message}`];
    }
  });
}

/** A name that nothing carries would be a rule that nobody is held by. */
function nameProblems(
  { rules, levels, exceptions }: PolicyDocument,
  whereOf: WhereOf,
): string[] {
  const names = new Set<string>(PLAIN_KEYS);
  const problems: string[] = [];
  rules.forEach(({ name }, index) => {
    if (names.has(name)) problems.push(`${whereOf(["rules", index, "name"])}The name "${name}" is taken`);
    names.add(name);
  });
  for (const key of Object.keys(levels)) {
    if (!PLAIN_KEYS.some((name) => name === key)) {
      problems.push(
        `${whereOf(["levels", key])}levels: "${key}" is not a plain key. Expected one of ${
          PLAIN_KEYS.join(", ")
        }`,
      );
    }
  }
  exceptions.forEach(({ rule }, index) => {
    if (!names.has(rule)) {
      problems.push(`${whereOf(["exceptions", index, "rule"])}exceptions: no rule is called "${rule}"`);
    }
  });
  return problems;
}
