import * as z from "zod";
import { catalog } from "../../catalog/catalog.ts";
import { prepareCall } from "../../catalog/prepare_call.ts";
import { type Tool, tool } from "../tool.ts";
import { CALL_ARGS, callInput, checkHeaders } from "./call_args.ts";
import { MARKET } from "./market.ts";
import { PLAN_ARGS, PLAN_HINTS, PLAN_OUTPUT, showPlan } from "./plan_tool.ts";

/** Plans a call of an operation that writes; nothing is sent. */
export const planCall: Tool = tool({
  name: "plan_call",
  title: "Plan a call",
  description:
    "Plans a call of an operation that writes, where no other plan tool does it; sends nothing. Shows what would be " +
    "sent, with before and after where it can be read.",
  input: z.strictObject({ market: MARKET, ...CALL_ARGS, note: PLAN_ARGS.note }).omit({
    content_type: true,
    accept: true,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
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
