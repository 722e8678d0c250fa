import type { ProfileClient } from "../../client/profile_client.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { plannedCall } from "../../plans/model/planned_call.ts";
import { contentOf, contentText, liveRule, readRules, RULE_API } from "./live_rules.ts";
import type { DriftEntry } from "./drift_entry.ts";
import type { AppliedPlanNote, PlanRecord } from "./plan_record.ts";

/** Kind of the entries. */
const KIND = "sp.optimization_rules";

/** A rule as a plan of ours sent it last. */
interface SentRule {
  readonly campaignId: string;
  readonly content: string;
  /** Content that was sent before that. */
  readonly before: string | undefined;
  readonly plan: AppliedPlanNote;
  /** True where the platform said that it is done; false where its answer was lost. */
  readonly isCertain: boolean;
}

/**
 * Finds how rules of the platform that plans of schedules wrote differ from what was sent last: changed, missing, or not
 * tied to their campaign. The history of the platform does not report rules. Nothing is requested where no plan sent any.
 *
 * @param options.since Rules that plans sent since are listed too, milliseconds.
 */
export async function ruleDrift(
  profile: ProfileClient,
  record: PlanRecord,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal | undefined },
): Promise<DriftEntry[]> {
  const sent = sentRules(record);
  if (sent.size === 0) return [];
  const campaignIds = [...new Set([...sent.values()].map(({ campaignId }) => campaignId))];
  const { ours, tied } = await readRules(profile, campaignIds, { signal, counts: false });
  const found: (DriftEntry & { readonly campaignId: string })[] = [];
  for (const [name, { campaignId, content, before, plan, isCertain }] of sent) {
    const live = ours.get(name);
    const add = (entry: Pick<DriftEntry, "at" | "change" | "before" | "after" | "by" | "plan">): void =>
      void found.push({ kind: KIND, id: live?.id ?? "", label: name, campaignId, ...entry });
    const foreign = (change: string, [wanted, now]: readonly [string | null, string | null]): void =>
      add({ at: null, change, before: wanted, after: now, by: "other", plan: null });
    if (live === undefined) {
      if (isCertain) foreign("REMOVED", [contentText(content), null]);
    } else if (contentOf(live.rule) !== content) {
      const now = contentOf(live.rule);
      if (isCertain || now !== before) foreign("RULE", [contentText(content), contentText(now)]);
    } else if (!tied.has(name)) foreign("CAMPAIGN_ID", [campaignId, null]);
    else if (Date.parse(plan.appliedAt) >= since) {
      add({
        at: plan.appliedAt,
        change: before === undefined ? "CREATED" : "RULE",
        before: before === undefined ? null : contentText(before),
        after: contentText(content),
        by: "plan",
        plan,
      });
    }
  }
  if (found.length === 0) return [];
  const campaigns = await profile.resource("sp.campaigns").getMany([
    ...new Set(found.map(({ campaignId }) => campaignId)),
  ]);
  return found.map(({ campaignId, ...entry }) => {
    const name = campaigns.get(campaignId)?.["name"];
    return typeof name === "string" ? { ...entry, campaign: name } : entry;
  });
}

/** The rules of schedules by name, as the plans of a record sent them last. */
function sentRules({ calls }: PlanRecord): Map<string, SentRule> {
  const sent = new Map<string, SentRule>();
  for (const { change, plan, isCertain } of calls) {
    const { operation, body } = plannedCall(change) ?? {};
    if (operation === undefined || !/:(Create|Update)OptimizationRules$/.test(operation)) continue;
    if (!operation.startsWith(`${RULE_API}:`)) continue;
    const rules = fieldsOf(body)["optimizationRules"];
    for (const rule of Array.isArray(rules) ? rules.map(fieldsOf) : []) {
      const own = liveRule(rule);
      if (own === undefined) continue;
      const { name, campaignId } = own;
      const before = sent.get(name)?.content;
      sent.set(name, { campaignId, content: contentOf(rule), before, plan, isCertain });
    }
  }
  return sent;
}
