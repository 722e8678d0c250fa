import { approve, defineSend, send, SEND_FIELDS, sendOptions } from "./send_operation.ts";

export const planResume = defineSend({
  name: "plan resume",
  isForPeople: true,
  title: "Finish a plan",
  summary: "Finish an interrupted plan",
  details:
    "The journal shows which changes went through; unknown ones are checked in the account. Then the rest is " +
    "sent; nothing is sent twice. The result covers both runs. --roll-back undoes the finished changes instead " +
    "and never sends the rest.",
  brief: "Finishes an interrupted plan",
  examples: [],
  library: "await PlanStore.open(folder).resume(plan, profile)",
  input: {
    ...SEND_FIELDS,
    check_drift: {
      ...SEND_FIELDS.check_drift,
      help: "send the rest even if the account has changed since the plan was made",
    },
  },
  async run(context, input) {
    const { plan, store, profile, signal, onWait } = context;
    const found = await store.look(plan, profile, { signal });
    // Where all is done, only the result is still to be written.
    const consent = found.ok ? {} : await approve(plan, context, input, found);
    return await send(
      { plan, consent },
      context,
      (options) => store.resume(plan, profile, { ...sendOptions(input, context), onWait, ...options }),
    );
  },
});
