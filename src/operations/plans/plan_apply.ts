import { approve, defineSend, send, SEND_FIELDS, sendOptions } from "./send_operation.ts";

/** Sends a plan to its account, once. */
export const planApply = defineSend({
  name: "plan apply",
  tool: "apply_plan",
  title: "Apply a plan",
  summary: "Send a plan, after showing it and asking",
  details:
    "Every entity is read first; when one has changed since the plan was made, nothing is sent, or with " +
    "--skip-drifted, everything else. The result, the plan that undoes it and a journal of every request are kept in " +
    "the folder .plans beside the plan file. Ctrl-C lets the request in flight finish and sends no further one; a " +
    "second Ctrl-C ends that too, and what it did is then unknown.",
  brief:
    "Sends a saved plan to the account: the only tool that changes it. Show the plan to the person first and call " +
    "this only when they agree. Each plan is applied once, if the account still is as the plan saw it; a person's no is " +
    "final. Says what failed and which plan undoes the rest.",
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
