import { fieldImportance, importance } from "./importance.ts";
import type { CampaignView, ChangeView } from "./view_types.ts";

/**
 * The campaigns with only their most important changes, so many in all: at least one of each sort, as far as there is
 * room, so that nothing can hide behind many others.
 */
export function topChanges(campaigns: readonly CampaignView[], count: number): CampaignView[] {
  const sorted = campaigns.flatMap(({ changes }) => changes).sort((a, b) => importance(b) - importance(a));
  const shown = new Set(firstOfEachSort(sorted).slice(0, count));
  for (const change of sorted) if (shown.size < count) shown.add(change);
  return campaigns
    .map((campaign) => ({ ...campaign, changes: campaign.changes.filter((change) => shown.has(change)) }))
    .filter(({ changes }) => changes.length > 0);
}

/** `340 sp.keywords bid, 2 sp.campaigns state to ARCHIVED`: every sort of change with its number. */
export function countedSorts(campaigns: readonly CampaignView[]): string {
  const counts = new Map<string, number>();
  for (const { changes } of campaigns) {
    for (const change of changes) {
      for (const sort of sortsOf(change)) counts.set(sort, (counts.get(sort) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

function firstOfEachSort(sorted: readonly ChangeView[]): ChangeView[] {
  const seen = new Set<string>();
  return sorted.filter((change) => {
    const news = sortsOf(change).filter((sort) => !seen.has(sort));
    for (const sort of news) seen.add(sort);
    return news.length > 0;
  });
}

/** `create sp.keywords`, or for updates `sp.campaigns budget.budget` for each field, archiving ones apart. */
function sortsOf({ op, kind, fields, label }: ChangeView): string[] {
  if (op === "create") return [`${kind} created`];
  if (op === "call") return [`call of ${label}`];
  return fields.map((field) =>
    `${kind} ${field.field}${
      fieldImportance(field) === Infinity || field.field === "state" ? ` to ${field.after}` : ""
    }`
  );
}
