import { ConfigurationError, PlatformAdsError } from "../../../errors.ts";
import { judge } from "../../../plans/approve/judge.ts";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { PlanData } from "../../../plans/plan_data.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";

/** Changes up to which a plan is compared with the account only to show it. */
const MAX_CHECKED = 20_000;

/** A plan for a reader. */
export interface CheckedPlan {
  /** Names, labels, findings and money as the account has them now; as the plan file says where that is unchecked. */
  readonly shown: PlanData;
  /** Why the account was not read; `undefined` when it was. */
  readonly unchecked: string | undefined;
}

/** Compares an open plan with the account, for nothing of its file but its changes is believed. */
export async function checkedPlan(
  plan: ChangePlan,
  { store, context }: { store: PlanStore | undefined; context: CliContext },
): Promise<CheckedPlan> {
  const unchecked = (why: string): CheckedPlan => ({ shown: plan, unchecked: why });
  const status = await store?.status(plan.id);
  if (status !== undefined && status.state !== "open") return unchecked(`The plan is ${status.state}`);
  if (plan.changes.length > MAX_CHECKED) return unchecked("The plan is too large to compare it for a look");
  let shown: PlanData = plan;
  try {
    await withAds(context, async (ads) => {
      const client = ads.profileFrom(plan.profileId, plan.countryCode);
      const sent = await store?.sentBefore(plan) ?? [];
      ({ shown } = await judge(plan, client, { sent, signal: context.interruption.signal }));
      return EXIT.done;
    });
    return { shown, unchecked: undefined };
  } catch (error) {
    context.interruption.signal.throwIfAborted();
    if (error instanceof ConfigurationError) return unchecked("There is no connection to the account");
    if (error instanceof PlatformAdsError) {
      return unchecked(`The account could not be read: ${error.message}`);
    }
    throw error;
  }
}
