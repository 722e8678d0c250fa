import type { ProfileClient } from "../../client/profile_client.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { plannedCall } from "../../plans/model/planned_call.ts";
import { contentOf, contentText, liveRule, readRules, RULE_API } from "./live_rules.ts";
import type { DriftEntry } from "./drift_entry.ts";
import type { AppliedPlanNote, PlanRecord } from "./plan_record.ts";

const KIND = "sp.optimization_rules";

interface SentRule {
  readonly campaignId: string;
  readonly content: string;
  readonly before: string | undefined;
  readonly plan: AppliedPlanNote;
  /** False if the response was lost. */
  readonly isCertain: boolean;
}

/**
 * Compares schedule rules with what was last sent, because the platform's history does not report rules.
 *
 * @param options.since Milliseconds; rules sent since then are also listed.
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
