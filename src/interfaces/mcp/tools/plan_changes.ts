import * as z from "zod";
import type { Tool } from "../tooling/tool.ts";
import type { Fields } from "../../../operations/model/field.ts";
import { accountDiff, planFrom } from "../../../operations/plans/account_files.ts";
import { planCall } from "../../../operations/plans/plan_call.ts";
import { planArchive, planCreate, planUpdate } from "../../../operations/plans/plan_writes.ts";
import type { WriteOperation } from "../../../operations/plans/write_operation.ts";
import { PLAN } from "./plan_answer.ts";
import { showAllowed } from "./plan_tool.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { shortened } from "../tooling/rows.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { catalog } from "../../../platform/catalog/catalog.ts";
import { checkHeaders } from "./operations.ts";

export const planUpdateTool: Tool = writeTool(planUpdate);
export const planCreateTool: Tool = writeTool(planCreate);
export const planArchiveTool: Tool = writeTool(planArchive);

function writeTool<Of extends Fields>(operation: WriteOperation<Of>): Tool {
  return operationTool(operation, {
    output: PLAN,
    sets: ["plans"],
    isListed: true,
    answer: async (profile, input, call) =>
      await showAllowed(await operation.run({ profile, signal: call.signal }, input), call),
  });
}

export const compareAccountFiles: Tool = operationTool(accountDiff, {
  output: z.looseObject({ summary: z.string() }),
  sets: ["plans"],
  async answer(profile, input, { signal }) {
    const diff = await accountDiff.run({ profile, signal }, input);
    const { value, told } = shortened(diff.toData());
    const data = {
      ...fieldsOf(value),
      summary: diff.summary(),
      ...(told === undefined ? {} : { shortened: told }),
    };
    return { data, text: JSON.stringify(data) };
  },
});

export const planAccountFiles: Tool = operationTool(planFrom, {
  output: PLAN,
  sets: ["plans"],
  answer: async (profile, input, call) =>
    await showAllowed(await planFrom.run({ profile, signal: call.signal }, input), call),
});

export const planCallTool: Tool = operationTool({
  ...planCall,
  async check(input, spelling) {
    await planCall.check?.(input, spelling);
    checkHeaders(await catalog.get(input.operation), input.headers ?? {});
  },
}, {
  output: PLAN,
  sets: ["plans"],
  answer: async (profile, input, call) =>
    await showAllowed(await planCall.run({ profile, signal: call.signal }, input), call),
});
