import { fieldsOf } from "../../base/json/fields_of.ts";

/**
 * Required reaction to a finding: nothing (`note`), a look (`advise`), a person's approval (`approve`), or another plan
 * (`deny`).
 */
export type FindingLevel = "note" | "advise" | "approve" | "deny";

/** A finding about a plan before it is sent: by preflight, by the default warnings, or by a policy. */
export interface Finding {
  /** Stable word for programs, for example `BID_ABOVE_MARKET_MAXIMUM`. */
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
  /** True when the platform would surely refuse the change, so that it is not sent unless the caller insists. */
  readonly refused?: boolean;
}

/**
 * True for a finding that keeps its change from being sent. An archive is no refusal that somebody could insist on: it is
 * kept back for the sake of what was to take its place.
 */
export function keepsBack({ code, refused }: Finding, sendAnyway: boolean): boolean {
  return refused === true && (!sendAnyway || ["REPLACEMENT_REFUSED", "DEPENDS_ON_UNSENT"].includes(code));
}

/** Positions of the changes that are not sent, because the platform would surely refuse them. */
export function unsentChanges(findings: readonly Finding[]): ReadonlySet<number> {
  return new Set(findings.flatMap(({ change, refused }) => change === undefined || !refused ? [] : [change]));
}

const LEVELS: readonly FindingLevel[] = ["note", "advise", "approve", "deny"];

/** True for a finding as it comes back from a file. */
export function isFinding(value: unknown): value is Finding {
  const { code, level, change, rule, message, allowed, hint, refused } = fieldsOf(value);
  const isTextOrNone = (text: unknown): boolean => text === undefined || typeof text === "string";
  return typeof code === "string" && typeof message === "string" && LEVELS.some((known) => known === level) &&
    (change === undefined || Number.isInteger(change)) && [rule, allowed, hint].every(isTextOrNone) &&
    (refused === undefined || typeof refused === "boolean");
}

/** The highest level among findings; `undefined` without any. */
export function highestLevel(findings: readonly Finding[]): FindingLevel | undefined {
  return findings.reduce<FindingLevel | undefined>(
    (highest, { level }) =>
      highest === undefined || LEVELS.indexOf(level) > LEVELS.indexOf(highest) ? level : highest,
    undefined,
  );
}

/** Names a finding, whatever amounts its message holds: its code, the position of its change and a rule's own name. */
export function findingKey({ code, rule, change }: Finding): string {
  const name = code.startsWith("POLICY_RULE") ? rule : undefined;
  return [code, change, name].filter((part) => part !== undefined).join(" ");
}

/** The findings that a policy asks a person about, apart from the default warnings. */
export function askedByPolicy(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ code, level }) => level === "approve" && code.startsWith("POLICY"));
}
