import * as z from "zod";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { type Fields, inputFrom, type InputOf } from "../../../operations/model/field.ts";
import type { Operation } from "../../../operations/model/operation.ts";
import { fieldShape, rareFields, TOOL_SPELLING } from "../tooling/field_schema.ts";
import { MARKET, type Tool, tool, type ToolAnswer, type ToolCall } from "../tooling/tool.ts";
import type { PlanAnswer } from "./plan_answer.ts";
import { PLAN_OUTPUT } from "./plan_tool.ts";

/** The tool of an operation that makes a plan for one profile. */
export function operationTool<Of extends Fields>(
  operation: Pick<Operation<Of, never, unknown>, "name" | "effect" | "title" | "brief" | "input" | "check">,
  answer: (profile: ProfileClient, input: InputOf<Of>, call: ToolCall) => Promise<ToolAnswer<PlanAnswer>>,
  listing: { readonly isListed?: true } = {},
): Tool {
  const { name, effect, title, brief, input: fields } = operation;
  return tool({
    name: name.replaceAll(" ", "_"),
    title,
    description: brief,
    input: z.strictObject({ market: MARKET, ...fieldShape(fields) }),
    rare: rareFields(fields),
    output: PLAN_OUTPUT,
    effect,
    sets: ["plans"],
    ...listing,
    async run({ market, ...args }, call) {
      const input = inputFrom(fields, args);
      await operation.check?.(input, TOOL_SPELLING);
      return await answer(await call.context.profile(market, call.signal), input, call);
    },
  });
}
