import { isObject, type JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";

export type Program = "sp" | "sb" | "sd";

export const TIE_FAILURES = {
  missing: "The rule was not found",
  tied: "The rule is associated with the campaign already",
} as const;

export function tie(
  { profile, clock }: Pick<Context, "profile" | "clock">,
  { collection: name, ruleId, campaignId }: { collection: string; ruleId: string; campaignId: string },
): keyof typeof TIE_FAILURES | undefined {
  const collection = profile.collection(name);
  const rule = collection.get(ruleId);
  if (rule === undefined) return "missing";
  if (isTied(rule, campaignId)) return "tied";
  collection.replace({
    ...rule,
    spans: [...spansOf(rule), { campaignId, from: clock.now(), until: null }],
    campaignIds: [...tiedTo(rule), campaignId],
  });
  return undefined;
}

/**
 * Returns the time spans of a rule's ties to campaigns. Ties from a copy or the demo hold since the rule's creation.
 */
function spansOf(rule: JsonObject): JsonObject[] {
  if (Array.isArray(rule.spans)) return rule.spans.filter(isObject);
  const from = typeof rule.createdDate === "number" ? rule.createdDate : 0;
  return tiedTo(rule).map((campaignId) => ({ campaignId, from, until: null }));
}

export function untie(
  { profile, clock }: Pick<Context, "profile" | "clock">,
  { collection: name, ruleId, campaignId }: { collection: string; ruleId: string; campaignId: string },
): boolean {
  const collection = profile.collection(name);
  const rule = collection.get(ruleId);
  if (rule === undefined || !isTied(rule, campaignId)) return false;
  const spans = spansOf(rule).map((span) =>
    span.campaignId === campaignId && span.until === null ? { ...span, until: clock.now() } : span
  );
  collection.replace({ ...rule, spans, campaignIds: tiedTo(rule).filter((id) => id !== campaignId) });
  return true;
}

export function demandCampaign(
  program: Program,
  campaignId: string | undefined,
  { profile }: Context,
): string {
  const campaign = profile.collection(`${program}.campaigns`).get(campaignId ?? "");
  if (campaign === undefined) throw refusal(404, `Campaign ${campaignId} was not found`, "details");
  return String(campaign.campaignId);
}

export function isTied(rule: JsonObject, campaignId: string): boolean {
  return tiedTo(rule).includes(campaignId);
}

export function tiedTo({ campaignIds }: JsonObject): string[] {
  return Array.isArray(campaignIds) ? campaignIds.map(String) : [];
}
