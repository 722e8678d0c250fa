import { inputRequired, type InputRequiredResult, inputResponse } from "@modelcontextprotocol/server";
import { ApprovalError } from "../../plans/plan_errors.ts";
import { ensureAccepted } from "../../plans/approve/approval.ts";
import type { Review } from "../../plans/approve/judge.ts";
import { findingKey } from "../../plans/finding.ts";
import { planQuestion } from "./plan_question.ts";
import type { AskedPlan } from "../mcp_context.ts";
import type { ToolCall } from "../tool.ts";

const KEY = "approve";

/** Decision of a person, as the client reports it. */
export type PersonsWord = "yes" | "no" | "nothing";

/** The question about a plan as it is now. */
export function questionOf({ plan, parts, asks }: Review, checkDrift: boolean): AskedPlan {
  return {
    plan_id: plan.id,
    fingerprint: plan.fingerprint,
    check_drift: checkDrift,
    shown: Object.values(parts).join(" "),
    accepted: asks.map(findingKey),
  };
}

/**
 * Reads the answer to this very question; `undefined` when it was not asked yet. The question travels through the
 * client: only one that this process signed, for this plan with this fingerprint, counts.
 *
 * @throws {ApprovalError} when more asks for a person, or something has another name, than when it was asked.
 */
export function approvalDecision(review: Review, asked: AskedPlan, call: ToolCall): PersonsWord | undefined {
  const state = call.mcp.mcpReq.requestState<AskedPlan>();
  const isSame = state?.plan_id === asked.plan_id && state.fingerprint === asked.fingerprint &&
    state.check_drift === asked.check_drift;
  if (!isSame) return undefined;
  ensureAccepted(review, state.accepted);
  if (state.shown !== asked.shown) {
    throw new ApprovalError(
      `The approval of plan ${asked.plan_id} is outdated: names or labels changed since the person was asked. Call apply_plan again`,
      "outdated",
    );
  }
  const answer = inputResponse(call.mcp.mcpReq.inputResponses, KEY);
  if (answer.kind !== "elicit" || answer.action === "cancel") return "nothing";
  return answer.action === "accept" && answer.content?.["approve"] === true ? "yes" : "no";
}

/** The question to a person: may this plan be sent? */
export async function askPerson(
  { shown: plan, account }: { shown: Review["shown"]; account: string | undefined },
  asked: AskedPlan,
  call: ToolCall,
): Promise<InputRequiredResult> {
  const file = (await call.context.plans.find(plan.id))?.path ?? plan.id;
  return inputRequired({
    requestState: await call.context.asked.mint(asked, call.mcp),
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: planQuestion(plan, { checkDrift: asked.check_drift, file, account }),
        requestedSchema: {
          type: "object",
          properties: {
            approve: {
              type: "boolean",
              title: "Send these changes to the account",
              description: "Anything but a yes is final: the plan can then never be applied",
            },
          },
          required: ["approve"],
        },
      }),
    },
  });
}
