import { canonicalJson } from "../../base/json/canonical_json.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import type { Approval } from "./approval.ts";

/**
 * Required reaction to a finding: none (`note`), a look (`advise`), a person's approval (`approve`), or another plan
 * (`deny`).
 */
export type FindingLevel = "note" | "advise" | "approve" | "deny";

/** A finding about a plan before it is sent: by preflight, by the default warnings, or by a policy. */
export interface Finding {
  /** Stable code for programs, for example `BID_ABOVE_MARKET_MAXIMUM`. */
  readonly code: string;
  /** Required reaction. */
  readonly level: FindingLevel;
  /** Position of the change in `plan.changes`; absent for a finding about the whole plan. */
  readonly change?: number;
  /** Name of the policy rule that was broken. */
  readonly rule?: string;
  /** The problem, with the value. */
  readonly message: string;
  /** Allowed values, for example `0.02 to 1000 USD`. */
  readonly allowed?: string;
  /** Next step. */
  readonly hint?: string;
  /** True if the platform is certain to refuse the change, so that it is only sent if the caller insists. */
  readonly refused?: boolean;
}

/**
 * True if a finding keeps its change from being sent. `sendAnyway` does not override three findings: that the
 * replacement of an archived entity would be refused (the entity would be lost), that the change depends on one that is
 * not sent, and that another plan put a call back.
 */
export function keepsBack({ code, refused }: Finding, sendAnyway: boolean): boolean {
  return refused === true && (!sendAnyway || NEVER_SENT.includes(code));
}

const NEVER_SENT = ["REPLACEMENT_REFUSED", "DEPENDS_ON_UNSENT", "PUT_BACK"];

export function unsentChanges(findings: readonly Finding[]): ReadonlySet<number> {
  return new Set(findings.flatMap(({ change, refused }) => change === undefined || !refused ? [] : [change]));
}

const LEVELS: readonly FindingLevel[] = ["note", "advise", "approve", "deny"];

export function isFinding(value: unknown): value is Finding {
  const { code, level, change, rule, message, allowed, hint, refused } = fieldsOf(value);
  const isTextOrNone = (text: unknown): boolean => text === undefined || typeof text === "string";
  return typeof code === "string" && typeof message === "string" && LEVELS.some((known) => known === level) &&
    (change === undefined || Number.isInteger(change)) && [rule, allowed, hint].every(isTextOrNone) &&
    (refused === undefined || typeof refused === "boolean");
}

export function highestLevel(findings: readonly Finding[]): FindingLevel | undefined {
  return findings.reduce<FindingLevel | undefined>(
    (highest, { level }) =>
      highest === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(highest) ? level : highest,
    undefined,
  );
}

/** Identity of a finding without its amounts: code, position of the change, name of the rule. */
export function findingKey({ code, rule, change }: Finding): string {
  const name = code.startsWith("POLICY_RULE") ? rule : undefined;
  return [code, change, name].filter((part) => part !== undefined).join(" ");
}

export function askedByPolicy(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ code, level }) => level === "approve" && code.startsWith("POLICY"));
}

/** Overridden findings, with the person who decided. */
export interface Override {
  /** Name of the person. */
  readonly by: string;
  /** Findings that require approval, and expected refusals that were sent anyway. */
  readonly findings: readonly Finding[];
  /** A person's signed approval; `null` where none was given. */
  readonly approval: Approval | null;
}

export function overrideOf(
  findings: readonly Finding[],
  { by, approval }: { by: string; approval: Approval | undefined },
): Override | undefined {
  if (findings.length === 0) return undefined;
  const byText = new Map(findings.map((finding) => [canonicalJson(finding), finding]));
  return { by, findings: [...byText.values()], approval: approval ?? null };
}

export function readOverride(value: unknown): Override | undefined {
  const { by, findings, approval } = fieldsOf(value);
  if (typeof by !== "string" || !Array.isArray(findings) || !findings.every(isFinding)) return undefined;
  return { by, findings, approval: isApproval(approval) ? approval : null };
}

export function isApproval(value: unknown): value is Approval {
  const fields = fieldsOf(value);
  return ["plan_id", "fingerprint", "approved_at", "expires_at", "signature"]
    .every((name) => typeof fields[name] === "string");
}
