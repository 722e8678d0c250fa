import { visibleText } from "../../../internal/visible_text.ts";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { Override } from "../../../plans/override.ts";
import { checkApproval } from "../../../plans/approve/approval.ts";
import { approvalKeyFiles } from "../../../plans/approve/approval_key.ts";
import type { AppliedRecord } from "../../../plans/store/applied_record.ts";
import { findingText } from "../../../plans/view/plan_lines.ts";
import { configFolder } from "../../../runtime/user_folders.ts";
import type { CliContext } from "../../core/context.ts";

/** Record of an applied plan, with the field names of `--json`. */
export function appliedData({ appliedAt, ok, summary, override }: AppliedRecord): Record<string, unknown> {
  return { applied_at: appliedAt, ok, summary, override: override ?? null };
}

/** Record of an applied plan for people, with overrides and their authors. */
export async function appliedText(
  plan: ChangePlan,
  { appliedAt, summary, override }: AppliedRecord,
  context: CliContext,
): Promise<string> {
  const lines = [`Applied ${appliedAt}: ${visibleText(summary.replaceAll("\n", "; "))}`];
  if (override !== undefined) {
    const signature = await signatureText(plan, override, context);
    lines.push(`Overridden by ${visibleText(override.by)}, ${signature}:`);
    lines.push(...override.findings.map((finding) => `  ${findingText(finding)}`));
  }
  return lines.join("\n") + "\n";
}

async function signatureText(plan: ChangePlan, { approval }: Override, { io }: CliContext): Promise<string> {
  if (approval === null) return "not signed";
  const publicKey = io.env["PLATFORM_ADS_MCP_APPROVAL_KEY"] || approvalKeyFiles(configFolder(io.env)).public;
  try {
    // That it has expired since takes nothing from what was signed.
    await checkApproval(plan, approval, { publicKey, now: () => Date.parse(approval.approved_at) });
    return `signed ${approval.approved_at}`;
  } catch {
    return `with a signature of ${visibleText(approval.approved_at)} that is NOT VALID here`;
  }
}
