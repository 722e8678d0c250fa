import { PlatformAdsError } from "../../errors.ts";

/**
 * A call does not match the published schema of its operation, and the check is strict. Nothing was sent.
 *
 * @example
 * ```ts
 * import { type ProfileClient, SchemaError } from "@platform/ads";
 *
 * async function pause(us: ProfileClient, campaignId: string): Promise<void> {
 *   try {
 *     const body = { campaigns: [{ campaignId, state: "PASUED" }] };
 *     await us.call("sponsored-products:UpdateSponsoredProductsCampaigns", body, { check: "strict" });
 *   } catch (error) {
 *     if (!(error instanceof SchemaError)) throw error;
 *     for (const { path, problem } of error.findings) console.error(path, problem);
 *   }
 * }
 * ```
 */
export class SchemaError extends PlatformAdsError {
  /** Id of the operation. */
  readonly operation: string;
  /** Differences of the call, with their places. */
  readonly findings: readonly SchemaFinding[];

  /**
   * Writes the message: one line per finding.
   *
   * @param operation Id of the operation.
   */
  constructor(operation: string, findings: readonly SchemaFinding[]) {
    const lines = findings.map((finding) => `\n  ${findingText(finding)}`);
    super(`Cannot call "${operation}": it does not fit what is published of the operation${lines.join("")}`);
    this.operation = operation;
    this.findings = findings;
  }
}

/** Kinds of difference between a value and its published shape. */
export type FindingCode =
  | "unknown-field"
  | "missing-field"
  | "wrong-type"
  | "not-allowed"
  | "out-of-range"
  | "wrong-format"
  | "unknown-parameter"
  | "missing-parameter";

/** A difference between a request or response and its published description. */
export interface SchemaFinding {
  /** Path of the value: `campaigns[0].budget.amount`; `query count`; empty for the whole body. */
  readonly path: string;
  /** Kind of difference. */
  readonly code: FindingCode;
  /** The difference, in one line without its path. */
  readonly problem: string;
  /** Name of the field that is missing. */
  readonly field?: string;
}

export function findingText({ path, problem }: SchemaFinding): string {
  return `${path === "" ? "body" : path}: ${problem}`;
}
