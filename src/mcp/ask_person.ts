import {
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
} from "@modelcontextprotocol/server";
import type { ChangePlan } from "../plans/change_plan.ts";
import { planCounts } from "../plans/plan_markdown.ts";
import { visibleText } from "../plans/visible_text.ts";
import { textTable } from "./results/text_table.ts";
import type { AskedPlan } from "./mcp_context.ts";
import type { ToolCall } from "./tool.ts";

const ROWS_SHOWN = 40;
const KEY = "approve";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** What a person said, as the client reports it. */
export type PersonsWord = "yes" | "no" | "nothing";

/** True when the client can put a form before a person. */
export function canAsk(call: ToolCall): boolean {
  const envelope = call.mcp.mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CAPABILITIES] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? call.server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * Reads the answer to a question about this very plan; `undefined` when none was asked yet. The question travels
 * through the client: only one that this process signed, for this plan and this fingerprint, counts.
 */
export function personsWord(plan: ChangePlan, call: ToolCall): PersonsWord | undefined {
  const asked = call.mcp.mcpReq.requestState<AskedPlan>();
  if (asked?.plan_id !== plan.id || asked.fingerprint !== plan.fingerprint) return undefined;
  const answer = inputResponse(call.mcp.mcpReq.inputResponses, KEY);
  if (answer.kind !== "elicit" || answer.action === "cancel") return "nothing";
  return answer.action === "accept" && answer.content?.["approve"] === true ? "yes" : "no";
}

/** The question to a person: may this plan be sent? */
export async function askPerson(plan: ChangePlan, call: ToolCall): Promise<InputRequiredResult> {
  const asked: AskedPlan = { plan_id: plan.id, fingerprint: plan.fingerprint };
  return inputRequired({
    requestState: await call.context.asked.mint(asked, call.mcp),
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: question(plan),
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

/** What the person reads. Made of the plan's data alone, names shown for what they are. */
export function question(plan: ChangePlan): string {
  const rows = plan.table();
  const shown = rows.slice(0, ROWS_SHOWN).map(({ kind, id, label, field, before, after }) => ({
    kind,
    id: id || "(new)",
    what: label,
    field,
    before: before ?? "—",
    after,
  }));
  const lines = [
    `Send these changes to profile ${plan.profileId} (${plan.countryCode})? ${planCounts(plan.changes)}.`,
  ];
  if (plan.note !== null) lines.push(`The agent's note: ${visibleText(plan.note)}`);
  for (const warning of plan.warnings) lines.push(`Warning: ${visibleText(warning)}`);
  lines.push("", textTable(shown));
  if (rows.length > shown.length) {
    lines.push(`and ${rows.length - shown.length} more that are not shown here: read the whole plan first`);
  }
  lines.push("", `Plan ${plan.id}, fingerprint ${plan.fingerprint.slice(0, 12)}`);
  return lines.join("\n");
}
