import { inputRequired, type InputRequiredResult, inputResponse } from "@modelcontextprotocol/server";
import { ApprovalError } from "../../../plans/model/plan_errors.ts";
import { ensureAccepted } from "../../../plans/review/approval.ts";
import type { Review } from "../../../plans/review/judge.ts";
import { changeTitle, withoutSubject } from "../../../plans/model/change_subject.ts";
import { findingKey } from "../../../plans/model/finding.ts";
import type { AskedPlan } from "../context/mcp_context.ts";
import type { ToolCall } from "../tooling/tool.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import type { PlanData } from "../../../plans/model/plan_data.ts";
import { type FieldRow, fieldRows } from "../../../plans/view/plan_markdown.ts";
import {
  accountQuestion,
  countsText,
  findingText,
  noteLines,
  totalLines,
} from "../../../plans/view/plan_lines.ts";
import { countedSorts, planView, topChanges } from "../../../plans/view/plan_view.ts";
import { firstWarnings } from "../tooling/rows.ts";
import { textTable } from "../calls/text_table.ts";

const KEY = "approve";

type PersonsWord = "yes" | "no" | "nothing" | "unseen";

/**
 * Milliseconds within which a refusal does not count as a person's, because some clients decline questions
 * automatically.
 */
const UNSEEN = 1000;

export function questionOf(
  { plan, parts, asks }: Review,
  { checkDrift, now }: { readonly checkDrift: boolean; readonly now: number },
): AskedPlan {
  return {
    asked_at: now,
    plan_id: plan.id,
    fingerprint: plan.fingerprint,
    check_drift: checkDrift,
    shown: Object.values(parts).join(" "),
    accepted: asks.map(findingKey),
  };
}

/**
 * Returns `undefined` if the question was not asked yet. Since it travels through the client, it must be signed by
 * this process for this plan and fingerprint.
 *
 * @param options.arrived Epoch milliseconds of the call that may contain the answer.
 * @throws {ApprovalError} when findings or names have changed since the question.
 */
export function approvalDecision(
  review: Review,
  { asked, arrived }: { readonly asked: AskedPlan; readonly arrived: number },
  call: ToolCall,
): PersonsWord | undefined {
  const state = call.mcp.mcpReq.requestState<AskedPlan>();
  const isSame = state?.plan_id === asked.plan_id && state.fingerprint === asked.fingerprint &&
    state.check_drift === asked.check_drift;
  if (!isSame) return undefined;
  ensureAccepted(review, state.accepted);
  if (state.shown !== asked.shown) {
    throw new ApprovalError(
      `The approval of plan ${asked.plan_id} is outdated: names or labels have changed since. Call apply_plan again`,
      "outdated",
    );
  }
  const answer = inputResponse(call.mcp.mcpReq.inputResponses, KEY);
  if (answer.kind !== "elicit" || answer.action === "cancel") return "nothing";
  if (answer.action === "accept" && answer.content?.["approve"] === true) return "yes";
  return arrived - state.asked_at < UNSEEN ? "unseen" : "no";
}

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
              description: "Any answer other than yes is final: the plan can never be applied",
            },
          },
          required: ["approve"],
        },
      }),
    },
  });
}

const CHANGES_SHOWN = 40;
/** Large enough for a person to see complete values. */
const MAX_CELL = 1000;

/**
 * Built only from the plan's data, with names marked as such. For a long plan, shows the most important changes and at
 * least one of each kind, and counts the rest, so that many small changes cannot hide a large one.
 *
 * @param options.checkDrift True if the account is checked first.
 */
export function planQuestion(
  plan: PlanData,
  options: { checkDrift: boolean; file: string; account?: string | undefined },
): string {
  const view = planView(plan);
  const amounts = view.currency === null ? "" : ` Amounts are in ${view.currency}.`;
  const account = accountQuestion(view, { account: options.account, ids: false });
  const lines = [`Send these changes to ${account}? ${countsText(view)}.${amounts}`];
  lines.push(...noteLines(view, { ids: false, title: "The agent's note" }));
  const found = view.campaigns.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      (change.findings ?? []).map((finding) => {
        const message = withoutSubject(finding.message, change);
        return `${changeTitle(change)}: ${findingText({ ...finding, message })}`;
      })
    )
  );
  lines.push(...firstWarnings([...new Set([...view.findings.map(findingText), ...found])]));
  for (const warning of firstWarnings(view.warnings)) lines.push(`Warning: ${visibleText(warning)}`);
  if (!options.checkDrift) {
    lines.push(
      "Warning: the agent asks to send them even if the account has changed since the plan was made",
    );
  }
  lines.push(...totalLines(view));
  const isCut = plan.changes.length > CHANGES_SHOWN;
  if (isCut) lines.push(`In all: ${visibleText(countedSorts(view.campaigns))}.`);
  lines.push(
    "",
    tableOf(fieldRows(view, isCut ? topChanges(view.campaigns, CHANGES_SHOWN) : view.campaigns)),
  );
  if (isCut) {
    lines.push(
      `The ${CHANGES_SHOWN} most important of ${plan.changes.length} changes; ${options.file} lists all`,
    );
  }
  if (fieldRows(view, view.campaigns).some(({ before, after }) => [before, after].some(isTooLong))) {
    lines.push(`Some long values are shortened; ${options.file} has them in full`);
  }
  lines.push("", `Profile ${plan.profileId}, plan ${plan.id}, fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n");
}

function tableOf(rows: readonly FieldRow[]): string {
  const names = rows.some(({ campaignName }) => campaignName !== "");
  const differences = rows.some(({ change }) => change !== "");
  const cells = rows.map(({ campaignName, change, kind, id, what, field, before, after }) => ({
    ...(names ? { campaign: campaignName } : {}),
    what,
    kind,
    field,
    before: before ?? "—",
    after,
    ...(differences ? { change } : {}),
    id,
  }));
  return textTable(cells, { longestCell: MAX_CELL });
}

function isTooLong(value: unknown): boolean {
  return JSON.stringify(value ?? null).length > MAX_CELL;
}
