import { judge, type JudgeOptions, type Review, type ReviewTarget } from "../review/judge.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { PlanStore } from "./plan_store.ts";

/**
 * Judges only the remaining changes of an interrupted plan. An undo is judged by what its original plan sent, without
 * the calls that another plan put back. Sends nothing.
 *
 * @throws as {@linkcode judge}.
 */
export async function judgeStored(
  plan: ChangePlan,
  client: ReviewTarget,
  { store, ...options }: Omit<JudgeOptions, "sent" | "putBack"> & {
    readonly store: Pick<PlanStore, "status" | "look" | "sentBefore" | "putBackCalls">;
  },
): Promise<Review> {
  const { signal } = options;
  const found = options.found ??
    ((await store.status(plan.id)).state === "unfinished"
      ? await store.look(plan, client, { signal })
      : undefined);
  const [sent, putBack] = await Promise.all([store.sentBefore(plan), store.putBackCalls(plan)]);
  return await judge(plan, client, { ...options, found, sent, putBack });
}
