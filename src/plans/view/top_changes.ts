import { fieldImportance, importance } from "./importance.ts";
import type { CampaignView, ChangeView, FieldView } from "./view_types.ts";

interface Ranked {
  readonly at: number;
  readonly importance: number;
}

interface Shown extends Pick<ChangeView, "op" | "kind" | "label"> {
  readonly fields: readonly Pick<FieldView, "field" | "before" | "after">[];
}

/**
 * Includes at least one change of each sort if possible, so that many small changes cannot hide a large one. Single
 * pass with bounded memory.
 */
export function topPlaces<Item>(
  changes: Iterable<Item>,
  { count, view }: { count: number; view: (change: Item) => Shown },
): Set<number> {
  const firstOfSorts = new Map<string, Ranked>();
  let top: Ranked[] = [];
  let least = -Infinity;
  let at = 0;
  for (const change of changes) {
    const shown = view(change);
    const ranked = { at, importance: importance(shown) };
    for (const sort of sortsOf(shown)) {
      const first = firstOfSorts.get(sort);
      if (first === undefined || ranked.importance > first.importance) firstOfSorts.set(sort, ranked);
    }
    if (ranked.importance > least || top.length < count) {
      top.push(ranked);
      if (top.length >= 2 * count) {
        top = top.sort(byImportance).slice(0, count);
        least = top.at(-1)?.importance ?? -Infinity;
      }
    }
    at += 1;
  }
  const firsts = [...new Set(firstOfSorts.values())].sort(byImportance);
  const places = new Set(firsts.slice(0, count).map((ranked) => ranked.at));
  for (const ranked of top.sort(byImportance)) if (places.size < count) places.add(ranked.at);
  return places;
}

export function topChanges(campaigns: readonly CampaignView[], count: number): CampaignView[] {
  const all = campaigns.flatMap(({ changes }) => changes);
  const places = topPlaces(all, { count, view: (change) => change });
  const shown = new Set(all.filter((_, at) => places.has(at)));
  return campaigns
    .map((campaign) => ({ ...campaign, changes: campaign.changes.filter((change) => shown.has(change)) }))
    .filter(({ changes }) => changes.length > 0);
}

export function countedSorts(campaigns: readonly CampaignView[]): string {
  const counts = new Map<string, number>();
  for (const { changes } of campaigns) {
    for (const change of changes) {
      for (const sort of sortsOf(change)) counts.set(sort, (counts.get(sort) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

function byImportance(a: Ranked, b: Ranked): number {
  return b.importance - a.importance;
}

function sortsOf({ op, kind, fields, label }: Shown): string[] {
  if (op === "create") return [`${kind} created`];
  if (op === "call") return [`call of ${label}`];
  return fields.map((field) =>
    `${kind} ${field.field}${
      fieldImportance(field) === Infinity || field.field === "state" ? ` to ${field.after}` : ""
    }`
  );
}
