import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { announcedConsole } from "../../console/announced_console.ts";
import { ApprovalError } from "../../../plans/model/plan_errors.ts";
import type { Approval } from "../../../plans/model/approval.ts";
import type { Review } from "../../../plans/review/judge.ts";
import { realSleep } from "../../../base/time/clock.ts";
import { answerSeconds } from "../calls/pending_calls.ts";
import { ownFigures, type ToolSettings } from "../context/mcp_context.ts";
import { canAsk, type ToolCall } from "../tooling/tool.ts";

const POLL = 0.25;
const REPORT_AFTER = 5;

export async function consoleAddress(planId: string, settings: ToolSettings): Promise<string> {
  const running = await announcedConsole(settings.stateFolder);
  if (running?.folders.includes(resolve(settings.planFolder))) return `${running.url}/plans/${planId}`;
  return `adsctl console --folder ${quoted(settings.planFolder)}${sameJudge(settings)}`;
}

/**
 * Waits as long as the client does.
 *
 * @param options.began Epoch milliseconds of the call.
 * @throws {ApprovalError} when the plan was rejected, or not approved in time. Nothing was sent.
 */
export async function approvalInConsole(
  review: Review,
  call: ToolCall,
  { began, sleep = realSleep }: { readonly began: number; readonly sleep?: typeof realSleep },
): Promise<Approval> {
  const { plan } = review;
  const { plans, settings, now } = call.context;
  const where = await consoleAddress(plan.id, settings);
  const seconds = answerSeconds(call.mcp);
  for (let told = 0;;) {
    await plans.ensureOpen(plan.id);
    try {
      return await plans.ensureApproved(review, { publicKey: settings.approvalKey });
    } catch (error) {
      if (!(error instanceof ApprovalError)) throw error;
      if (now() - began >= seconds * 1000) {
        throw new ApprovalError(
          `${error.message}. Ask the person to approve it in the console, ` +
            `then call apply_plan again:\n  ${where}`,
          error.reason,
          { cause: error },
        );
      }
    }
    if (now() - began >= told * 1000) {
      await call.progress(-1, `Waiting for a person's approval at ${where}`);
      told = (now() - began) / 1000 + REPORT_AFTER;
    }
    await sleep(POLL, call.signal);
  }
}

/** Way in which a caller's plans are approved: `form` asks a person in the client, `fingerprint` asks no person. */
export function approvalWay(call: ToolCall): "terminal" | "console" | "form" | "fingerprint" {
  const { person, settings: { approval } } = call.context;
  if (approval === "terminal" || approval === "console") return approval;
  if (call.identity.may("approve") && (person !== undefined || canAsk(call))) return "form";
  return approval === "form" ? "terminal" : "fingerprint";
}

export function approveCommand(planId: string, settings: ToolSettings): string {
  return `adsctl plan approve ${planId} --folder ${quoted(settings.planFolder)}${sameJudge(settings)}`;
}

export function applyCommand(file: string, settings: ToolSettings): string {
  return `adsctl plan apply ${quoted(file)}${accountOption(settings)}${policyOption(settings)}`;
}

/**
 * Options that make a command use the server's account, policy and figures, so that the signer sees what the agent
 * saw.
 */
function sameJudge(settings: ToolSettings): string {
  const { planFolder, rehearsal, store = ownFigures(planFolder) } = settings;
  // A rehearsal has a store of its own; an address may hold a password.
  const isNamed = rehearsal === undefined && !/:\/\//.test(store) && existsSync(store);
  const figures = isNamed ? ` --store ${quoted(resolve(store))}` : "";
  return `${accountOption(settings)}${policyOption(settings)}${figures}`;
}

function policyOption({ policy }: Pick<ToolSettings, "policy">): string {
  return policy === undefined ? "" : ` --policy ${quoted(resolve(policy))}`;
}

function accountOption({ demo, rehearsal }: Pick<ToolSettings, "demo" | "rehearsal">): string {
  return rehearsal !== undefined ? ` --rehearse ${quoted(rehearsal)}` : demo ? " --demo" : "";
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`;
}
