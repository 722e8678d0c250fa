import { z } from "zod";
import type { ConfigurationError } from "../../errors.ts";
import { nearest } from "../../base/text/nearest.ts";
import { compileRule } from "./cel_rules.ts";
import { FilePolicy, PLAIN_KEYS } from "./file_policy.ts";
import type { Policy, PolicySources } from "./policy.ts";
import { Labels, POLICY_VERSION, PolicyCase, PolicyDocument } from "./policy_document.ts";
import {
  checkVersion,
  checkYaml,
  readYaml,
  type WhereOf,
  yamlRefusal,
} from "../../base/runtime/yaml_document.ts";

const SO_WHAT = ", so nothing may be sent";

/**
 * Parses the text of a policy file: YAML or JSON. All problems are reported at once, with their lines.
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
    throw refused(source, [`labels_file: "${document.labels_file}" is read by loadPolicy alone`]);
  }
  return new FilePolicy(source, document, options);
}

export function readDocument(text: string, source: string): PolicyDocument {
  const use = { source, consequence: SO_WHAT };
  const yaml = readYaml(text, use);
  const { whereOf } = yaml;
  checkVersion(yaml, use, POLICY_VERSION);
  const document = checkYaml(PolicyDocument, yaml, use);
  const problems = [
    ...ruleProblems(document, whereOf),
    ...nameProblems(document, whereOf),
    ...document.labels_file === undefined ? labelProblems(document, whereOf) : [],
  ];
  if (problems.length > 0) throw refused(source, problems);
  return document;
}

/**
 * Labels under `protect` that are neither platform tags (`key:value`) nor defined in the policy, and would protect
 * nothing.
 */
export function labelProblems(
  { labels, protect }: Pick<PolicyDocument, "labels" | "protect">,
  whereOf: WhereOf = () => "",
): string[] {
  const names = Object.keys(labels);
  return (protect?.labels ?? []).flatMap((label, index) => {
    if (label.includes(":") || names.includes(label)) return [];
    const near = nearest(label, names);
    const hint = near === undefined
      ? "Add it under labels, or write a tag as key:value"
      : `Did you mean "${near}"?`;
    return [
      `${whereOf(["protect", "labels", index])}protect.labels: nothing has the label "${label}". ${hint}`,
    ];
  });
}

export function parseLabels(text: string, source: string): PolicyDocument["labels"] {
  const use = { source, consequence: SO_WHAT };
  return checkYaml(Labels, readYaml(text, use), use);
}

export function parseCases(text: string, source: string): readonly PolicyCase[] {
  const use = { source, consequence: SO_WHAT };
  return checkYaml(z.looseObject({ tests: z.array(PolicyCase).default([]) }), readYaml(text, use), use).tests;
}

export function refused(source: string, problems: readonly string[]): ConfigurationError {
  return yamlRefusal({ source, consequence: SO_WHAT }, problems);
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

/** Reports names of unknown entities, because their rules would never apply. */
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
