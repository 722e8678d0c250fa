import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { Finding } from "../../../plans/finding.ts";
import { asksByPolicy } from "../../../plans/review/asks_by_policy.ts";
import { approvalKeyFiles } from "../../../plans/store/approval_key.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import { configFolder } from "../../../runtime/user_folders.ts";
import { RefusedError } from "../errors/cli_error.ts";
import type { CliContext } from "../context.ts";

/** How a command was asked to go on. */
export interface RiskOptions {
  /** Do not ask. */
  readonly yes?: true;
  /** Send also what is out of proportion, without a question. */
  readonly acceptRisk?: true;
}

const MAX_SHOWN = 10;

/**
 * Who approved what asks for a person, where nobody can be asked: a signed approval beside the plan, or `--accept-risk`
 * for the default warnings. A policy that asks for a person is not content with an option.
 *
 * @param findings Those that ask for a person.
 * @throws {RefusedError} when nobody did. Nothing was sent.
 */
export async function acceptedBy(
  findings: readonly Finding[],
  { plan, store, options, context }: {
    plan: ChangePlan;
    store: PlanStore;
    options: RiskOptions;
    context: CliContext;
  },
): Promise<string> {
  if (await isSigned(plan, store, context)) return "a signed approval";
  const ofPolicy = asksByPolicy(findings);
  if (options.acceptRisk && !ofPolicy) return "--accept-risk";
  const shown = findings.slice(0, MAX_SHOWN).map(({ message }) => `\n  ${message}`).join("");
  const more = findings.length > MAX_SHOWN ? `\n  and ${findings.length - MAX_SHOWN} more` : "";
  throw new RefusedError(`--yes is not enough for this plan, so nothing was sent:${shown}${more}`, {
    hint: ofPolicy
      ? "Apply it in a terminal without --yes, or sign it first: adsctl plan approve ID"
      : "Apply it in a terminal without --yes, or say --accept-risk",
  });
}

async function isSigned(plan: ChangePlan, store: PlanStore, { io }: CliContext): Promise<boolean> {
  try {
    await store.ensureApproved(plan, { publicKey: approvalKeyPath(io.env) });
    return true;
  } catch {
    return false;
  }
}

/** Path of the public half of the key that approvals are signed with. */
export function approvalKeyPath(env: Readonly<Record<string, string | undefined>>): string {
  return env["PLATFORM_ADS_MCP_APPROVAL_KEY"] || approvalKeyFiles(configFolder(env)).public;
}
