import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { counted } from "../../base/text/money_text.ts";
import type { ReviewTarget } from "../../plans/review/judge.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { defineOperation } from "../model/operation.ts";

interface PartContext {
  readonly plan: ChangePlan;
  readonly store: Pick<PlanStore, "ensureOpen" | "sentBefore">;
  readonly profile: ReviewTarget;
  readonly signal: AbortSignal;
}

/** Refusal of a part that cannot be planned, whatever else it is asked with. */
export class PlanPartError extends TypeError {
  override readonly name = "PlanPartError";

  constructor(message: string, readonly reason: "NOTHING_LEFT" | "NEEDED") {
    super(message);
  }
}

export const planPart = defineOperation<PartContext, ChangePlan>()({
  name: "plan part",
  effect: "plan",
  title: "Plan a part of a plan",
  summary: "Make a plan of an open one without some of its changes",
  details:
    "The new plan is judged by the policy again; the old one stays open. A change that others of the plan need, " +
    "such as a new campaign, is left out only with them. adsctl plan show --json gives the position of each " +
    "change as change; findings name it too. Tables are in another order.",
  brief:
    "Makes a new plan of an open one, without some of its changes; sends nothing. The old plan stays open. " +
    "Each row of a plan has its position.",
  examples: [],
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "plan",
      help: "the plan file, or the id of the plan",
      brief: "Id of the plan",
    },
    leave_out: {
      type: "positions",
      help: "positions of changes to leave out, counted from 0",
    },
    leave_out_ids: {
      type: "ids",
      help: "ids of entities whose changes are left out",
    },
  },
  check({ leave_out: positions = [], leave_out_ids: ids = [] }, { field }) {
    if (positions.length > 0 || ids.length > 0) return;
    throw new TypeError(
      `Cannot make a part of the plan: say what to leave out with ${field("leave_out")} or ${
        field("leave_out_ids")
      }`,
    );
  },
  async run({ plan, store, profile, signal }, { leave_out: positions = [], leave_out_ids: ids = [] }) {
    const { ensureJudged } = await import("../../plans/review/approval.ts");
    const { unjudgedFindings } = await import("../../plans/review/judge.ts");
    const { reviewed } = await import("../../plans/change_plan/reviewed.ts");
    const bare = await planWithout(plan, [...positions, ...positionsOf(ids, plan)]);
    await store.ensureOpen(plan.id);
    ensureJudged({ plan, unjudged: unjudgedFindings(plan, profile) });
    return await reviewed(bare, profile, { sent: await store.sentBefore(bare), signal });
  },
});

function positionsOf(ids: readonly string[], plan: ChangePlan): number[] {
  const unknown = ids.filter((id) => !plan.changes.some((change) => change.id === id));
  if (unknown.length > 0) {
    throw new RangeError(`Cannot leave out ${unknown.join(", ")}: plan ${plan.id} does not change it`);
  }
  return [...plan.changes.keys()].filter((at) => ids.includes(plan.changes[at]?.id ?? ""));
}

async function planWithout(plan: ChangePlan, positions: readonly number[]): Promise<ChangePlan> {
  const { partOfPlan } = await import("../../plans/change_plan/part_of_plan.ts");
  const { length } = plan.changes;
  const out = new Set(positions);
  const unknown = [...out].filter((at) => at >= length);
  if (unknown.length > 0) {
    throw new RangeError(
      `Cannot leave out ${unknown.join(", ")}: plan ${plan.id} has ${
        counted(length, "change")
      }, counted from 0`,
    );
  }
  if (out.size === length) {
    throw new PlanPartError("Cannot make a plan: no changes are left", "NOTHING_LEFT");
  }
  const note = `Plan ${plan.id} without ${out.size} of its ${length} changes`;
  try {
    return partOfPlan(plan, (change, at) => out.has(at) ? undefined : change, note);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new PlanPartError(`${error.message}. Leave out the changes that need it too`, "NEEDED");
  }
}
