import type { CampaignView, ChangeView } from "./plan_view.ts";

/**
 * The campaigns with only their topChanges changes, so many in all and in their order: what is archived comes before
 * what is created, that before what moves much money, that before the rest. A long plan cannot hide any of them.
 */
export function topChanges(campaigns: readonly CampaignView[], count: number): CampaignView[] {
  const all = campaigns.flatMap(({ changes }) => changes);
  const shown = new Set([...all].sort((a, b) => weight(b) - weight(a)).slice(0, count));
  return campaigns
    .map((campaign) => ({ ...campaign, changes: campaign.changes.filter((change) => shown.has(change)) }))
    .filter(({ changes }) => changes.length > 0);
}

function weight({ op, fields }: ChangeView): number {
  if (op === "archive") return Infinity;
  if (op === "create") return Number.MAX_VALUE;
  return fields.reduce((most, { difference = 0 }) => Math.max(most, Math.abs(difference)), 0);
}
