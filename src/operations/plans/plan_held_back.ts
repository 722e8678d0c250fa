import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { defineOperation } from "../model/operation.ts";
import { NOTE_FIELD } from "./write_operation.ts";

export interface HeldBackContext {
  readonly plan: ChangePlan;
  readonly profile: ProfileClient;
  readonly signal: AbortSignal;
}

export const planHeldBack = defineOperation<HeldBackContext, ChangePlan>()({
  name: "plan held-back",
  effect: "plan",
  isForPeople: true,
  title: "Plan the held-back part",
  summary: "Plan the same change for the entities that a plan held back",
  details:
    "Use it after the experiment has ended; plan outcome shows whether the change worked. Creates a normal " +
    "plan with nothing held back. Items changed in the meantime are left out and counted.",
  brief:
    "Plans the same changes for the held-back part of a plan, once its experiment has ended; nothing is sent",
  examples: [],
  library: "await planHeldBack(profile, plan)",
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "plan",
      help: "the plan file, or the id of the plan",
    },
    ...NOTE_FIELD,
  },
  async run({ plan, profile, signal }, { note }) {
    const { planHeldBack } = await import("../../account/jobs/plan_held_back.ts");
    return await planHeldBack(profile, plan, { note, signal });
  },
});
