import type { DriftedField } from "../../errors.ts";
import { findDrift } from "../../plans/apply/drift.ts";
import type { Finding } from "../../plans/finding.ts";
import { type PlanReview, withReview } from "../../plans/review/review_plan.ts";
import { withNames } from "../../plans/view/read_names.ts";
import { ApiProblem } from "../http/api_problem.ts";
import type { ConsoleContext } from "../console_context.ts";
import type { FoundPlan } from "./found_plan.ts";

/** What a look at the account says of a plan now. */
export interface ShownReview extends PlanReview {
  /** Names of the campaigns and ad groups by id. */
  readonly names: FoundPlan["plan"]["names"];
  /** Changes whose entity is no longer as the plan saw it. */
  readonly drift: readonly {
    readonly change: number;
    readonly already: boolean;
    readonly fields: readonly DriftedField[];
  }[];
}

/** Looks at the account: what the policy or the default warnings say of a plan now, and what changed since it was made. */
export async function reviewShown(
  { plan, store }: FoundPlan,
  { ads, signal }: Pick<ConsoleContext, "ads"> & { signal: AbortSignal },
): Promise<ShownReview> {
  const client = ads.profileFrom(plan.profileId, plan.countryCode);
  await store.restores(plan);
  const review = await client.review(plan, { signal });
  const named = await withNames(plan, client, { signal });
  const placed = plan.changes.map((change, at) => ({ at, change }));
  const drift = await findDrift(placed, client, { signal });
  const { findings, money } = withReview(plan, review);
  return {
    findings,
    money: money ?? review.money,
    names: named.names,
    drift: [...drift].map(([change, { already, fields }]) => ({ change, already, fields })),
  };
}

/**
 * Throws unless the person saw and accepted every finding that asks for one.
 *
 * @param accepted What the page showed, as `code` and position of the change.
 */
export function ensureAccepted(findings: readonly Finding[], accepted: unknown): void {
  const seen = new Set(Array.isArray(accepted) ? accepted.map(String) : []);
  const unseen = findings.filter((finding) => finding.level === "approve" && !seen.has(findingKey(finding)));
  const [first] = unseen;
  if (first === undefined) return;
  throw new ApiProblem(
    409,
    "NOT_ACCEPTED",
    `Cannot send this plan yet: ${unseen.length} findings ask for a person's approval, such as: ${first.message}`,
  );
}

/** Names a finding for {@linkcode ensureAccepted}: its code, and the position of its change. */
export function findingKey({ code, change }: Finding): string {
  return change === undefined ? code : `${code} ${change}`;
}
