import { approve, defineSend, send, SEND_FIELDS, sendOptions } from "./send_operation.ts";

export const planApply = defineSend({
  name: "plan apply",
  tool: "apply_plan",
  title: "Apply a plan",
  summary: "Send a plan, after showing it and asking",
  details:
    "Reads every entity first. If one has changed since the plan was made, nothing is sent; --skip-drifted " +
    "sends the rest. The result, a plan to undo it, and a journal of every request are kept in the folder " +
    ".plans next to the plan. Ctrl-C finishes the current request and sends no more. A second Ctrl-C stops at " +
    "once, and the outcome of that request is unknown.",
  brief:
    "Sends a saved plan to the account: the only tool that changes it. Show the plan to the person first, and " +
    "call this only if they agree. A plan is applied once, and only if the account has not changed since; a " +
    "person's no is final. Returns failures and the plan that undoes the rest.",
  examples: [],
  library: "const result = await plan.apply(profile, { checkDrift: true })",
  input: SEND_FIELDS,
  async run(context, input) {
    const { plan, store, profile } = context;
    await store.ensureOpen(plan.id);
    const consent = await approve(plan, context, input);
    return await send(
      { plan, consent },
      context,
      (options) => store.apply(plan, profile, { ...sendOptions(input, context), ...options }),
    );
  },
});
