import type { Finding } from "../model/finding.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import { AccountReading } from "../state/account_reading.ts";
import { changesAsSent } from "../state/changes_as_sent.ts";
import type { Policy } from "./policy.ts";

/** Judges a plan by the requests that it would send, with the account as it is now; sends nothing. */
export async function reviewAsSent(
  plan: ChangePlan,
  client: PlanTarget,
  { policy, signal }: { readonly policy: Policy; readonly signal: AbortSignal | undefined },
): Promise<readonly Finding[]> {
  const account = new AccountReading().by(client, signal);
  const placed = plan.changes.map((change, at) => ({ at, change }));
  const sent = await changesAsSent(plan.id, placed, { client, account, signal });
  const { profileId, countryCode, note, reverses } = plan;
  const judged = { profileId, countryCode, note, reverses, changes: sent.map(({ change }) => change) };
  return await policy.review(judged, client, { account, signal });
}
