import { fieldsOf } from "../../base/json/fields_of.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { type Finding, isFinding } from "./finding.ts";
import type { Approval } from "./approval.ts";

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
