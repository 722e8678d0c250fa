import { productProblems } from "../../../operations/reads/product_problems.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

export const findProductProblems: Tool = operationTool(productProblems, {
  output: ROWS,
  sets: ["read"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const { rows, note } = await productProblems.run({ profile, signal: call.signal }, input);
    return await takeRows(rows, { noun: "ads", limit, offset, notes: () => [note] }, call);
  },
});
