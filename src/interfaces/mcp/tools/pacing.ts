import { pacingData } from "../../../automation/pacing/pacing_data.ts";
import { type PacingContext, planPacing, showPacing } from "../../../operations/automation/pacing.ts";
import { toolWords } from "../../../operations/model/command_words.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { PLAN } from "./plan_answer.ts";
import { showPlan } from "./plan_tool.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool, ToolCall } from "../tooling/tool.ts";

export const pacingShow: Tool = operationTool(showPacing, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const statuses = await withParts(profile, call, (parts) => showPacing.run(parts, input));
    // The spend of each day and the campaigns would make each row too long.
    const rows = statuses.map((status) => {
      const { line: _line, weights: _weights, campaigns: _campaigns, ...row } = pacingData(status);
      return row;
    });
    return await takeRows(rows, { noun: "amounts", limit, offset }, call);
  },
});

export const planPacingTool: Tool = operationTool(planPacing, {
  output: PLAN,
  sets: ["store"],
  answer: async (profile, input, call) => {
    const result = await withParts(profile, call, (parts) => planPacing.run(parts, input));
    const answer = await showPlan(result.plan, call);
    const notes = (planPacing.lines?.(result) ?? []).map(toolWords);
    return notes.length === 0
      ? answer
      : { ...answer, data: { ...answer.data, notes }, text: [...notes, answer.text].join("\n") };
  },
});

async function withParts<T>(
  profile: ProfileClient,
  { context, signal }: ToolCall,
  run: (parts: PacingContext) => Promise<T>,
): Promise<T> {
  const { place } = context.store!;
  return await context.store!.use((store) => run({ profile, store, place, now: context.now(), signal }));
}
