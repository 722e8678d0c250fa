import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { Finding } from "../../../plans/finding.ts";
import { readVariables } from "../../../connection/connection_from_env.ts";
import type { Policy } from "../../../policy/policy.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import { findPlan } from "../../core/find_plan.ts";
import { openPolicy } from "../../core/policy/open_policy.ts";
import { withStoreFigures } from "../../core/store_figures.ts";
import { policyPath } from "../../core/policy/policy_path.ts";

/**
 * The policy that the options or the settings name.
 *
 * @throws {UsageError} when none does.
 */
export async function namedPolicy(context: CliContext): Promise<Policy> {
  const { io, globals } = context;
  const variables = globals.demo ? io.env : await readVariables({
    env: io.env,
    ...(globals.envFile === undefined ? {} : { envFile: globals.envFile }),
  });
  const path = policyPath(context, variables);
  if (path === undefined) {
    throw new UsageError("Cannot judge without a policy: name one with --policy, or set PLATFORM_ADS_POLICY");
  }
  return await openPolicy(path, context, {
    figures: (request) => withStoreFigures(context, (figures) => figures(request)),
  });
}

/** Judges a plan, by the account as it is now or by the plan alone. */
export async function judgePlan(
  { file, offline, policy }: { file: string; offline: boolean; policy: Policy },
  context: CliContext,
): Promise<{ plan: ChangePlan; findings: readonly Finding[] }> {
  const { plan } = await findPlan(file, context);
  if (offline) return { plan, findings: policy.check(plan, { now: context.io.now() }) };
  let findings: readonly Finding[] = [];
  await withAds(context, async (ads) => {
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    findings = await policy.review(plan, client, { signal: context.interruption.signal });
    return 0;
  });
  return { plan, findings };
}
