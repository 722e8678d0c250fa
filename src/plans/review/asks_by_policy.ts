import type { Finding } from "../finding.ts";

/** True when a policy asks for a person, and not the default warnings alone. */
export function asksByPolicy(findings: readonly Finding[]): boolean {
  return findings.some(({ code, level }) => level === "approve" && code.startsWith("POLICY"));
}
