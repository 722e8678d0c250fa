import * as z from "zod";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { checkInput } from "../../../operations/model/check_input.ts";
import { type Fields, inputFrom, type InputOf } from "../../../operations/model/field.ts";
import { type Operation, toolName } from "../../../operations/model/operation.ts";
import type { Toolset } from "../context/toolsets.ts";
import { fieldShape, JSON_SPELLING, rareFields } from "../../../operations/model/field_schema.ts";
import { MARKET, type Tool, tool, type ToolAnswer, type ToolCall } from "./tool.ts";

/** The tool of an operation on one profile. */
export function operationTool<
  Of extends Fields,
  Output extends z.ZodObject,
  More extends z.ZodRawShape = Record<never, never>,
>(
  operation: Pick<
    Operation<Of, never, unknown>,
    "name" | "tool" | "effect" | "title" | "brief" | "input" | "check"
  >,
  rendering: {
    readonly output: Output;
    readonly sets: readonly Toolset[];
    readonly isListed?: true;
    /** Arguments about the answer, such as the number of rows. */
    readonly more?: More;
    answer(
      profile: ProfileClient,
      input: InputOf<Of>,
      call: ToolCall,
      more: z.output<z.ZodObject<More>>,
    ): Promise<ToolAnswer<z.input<Output>>>;
  },
): Tool {
  const { effect, title, brief, input: fields } = operation;
  const { answer, more, ...about } = rendering;
  const rest = z.object(more ?? {} as More);
  const shape: z.ZodRawShape = { market: MARKET, ...fieldShape(fields), ...rest.shape };
  return tool({
    ...about,
    name: toolName(operation),
    title,
    description: brief,
    input: z.strictObject(shape),
    rare: rareFields(fields),
    effect,
    async run({ market, ...args }, call) {
      const input = inputFrom(fields, args);
      await checkInput(operation, input, JSON_SPELLING);
      const profile = await call.context.profile(String(market), call.signal);
      return await answer(profile, input, call, rest.parse(args));
    },
  });
}
