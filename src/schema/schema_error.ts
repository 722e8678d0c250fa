import { PlatformAdsError } from "../errors.ts";
import { findingText, type SchemaFinding } from "./check/finding.ts";

/**
 * A call does not fit what is published of its operation, and was to be checked strictly. Nothing was sent.
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
   * Makes the error.
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
