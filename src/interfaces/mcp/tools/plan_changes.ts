import * as z from "zod";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import type { Fields } from "../../../operations/model/field.ts";
import { planArchive, planCreate, planUpdate } from "../../../operations/plans/plan_writes.ts";
import type { WriteOperation } from "../../../operations/plans/write_operation.ts";
import { NOTE, PLAN_OUTPUT, showPlan } from "../plans/plan_tool.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { withoutDenied } from "../../../account/jobs/without_denied.ts";
import { catalog } from "../../../platform/catalog/catalog.ts";
import { prepareCall } from "../../../platform/catalog/prepare_call.ts";
import { CALL_ARGS, callInput, checkHeaders } from "./operations.ts";

export const planUpdateTool: Tool = writeTool(planUpdate);
export const planCreateTool: Tool = writeTool(planCreate);
export const planArchiveTool: Tool = writeTool(planArchive);

/** Denied changes that an answer names. */
const MAX_LEFT_OUT = 20;

/** The tool of a plan of writes. */
function writeTool<Of extends Fields>(operation: WriteOperation<Of>): Tool {
  return operationTool(operation, {
    output: PLAN_OUTPUT,
    sets: ["plans"],
    isListed: true,
    more: { skip_denied: z.boolean().default(false) },
    answer: async (profile, input, call, { skip_denied: skipDenied }) => {
      const { signal } = call;
      const plan = await operation.run({ profile, signal }, input);
      if (!skipDenied) return await showPlan(plan, call);
      const allowed = await withoutDenied(plan, profile, { signal });
      const answer = await showPlan(allowed.plan, call);
      return allowed.denied.length === 0 ? answer : {
        ...answer,
        data: { ...answer.data, left_out: allowed.denied.slice(0, MAX_LEFT_OUT).map((one) => ({ ...one })) },
        text: `Left out, because the policy denies them: ${allowed.denied.length}\n${answer.text}`,
      };
    },
  });
}

/** Plans a call of an operation that writes; nothing is sent. */
export const planCall: Tool = tool({
  name: "plan_call",
  title: "Plan a call",
  description:
    "Plans a write operation that no other plan tool covers; sends nothing. Shows the request, with before " +
    "and after values if they can be read.",
  input: z.strictObject({ market: MARKET, ...CALL_ARGS, note: NOTE }).omit({
    content_type: true,
    accept: true,
  }),
  output: PLAN_OUTPUT,
  effect: "plan",
  sets: ["plans"],
  async run(args, call) {
    const operation = await catalog.get(args.operation);
    const input = callInput(args);
    // Checked before a profile is looked up, so that a bad parameter sends nothing at all.
    prepareCall(operation, { ...input, body: args.body });
    checkHeaders(operation, args.headers ?? {});
    const profile = await call.context.profile(args.market, call.signal);
    const options = { ...input, check: args.check, note: args.note, signal: call.signal };
    return await showPlan(await profile.planCall<string>(operation.id, args.body, options), call);
  },
});
