import type { Change } from "../model/change.ts";
import { isPlaceKind } from "../model/prior_state.ts";

/** Larger plans are reviewed in parts, so that the whole account is never in memory. */
const MAX_CHANGES = 20_000;

interface ReviewPart {
  readonly changes: readonly Change[];
  readonly places?: readonly number[];
  readonly seen?: number;
}

/** Every part contains the changes of campaigns, ad groups and portfolios; the others are grouped by campaign. */
export function reviewParts(changes: readonly Change[]): ReviewPart[] {
  if (changes.length <= MAX_CHANGES) return [{ changes }];
  const shared: number[] = [];
  const leaves: number[] = [];
  for (const [at, { kind, ref }] of changes.entries()) {
    (isPlaceKind(kind) || ref !== undefined ? shared : leaves).push(at);
  }
  // Parts would be no smaller than the plan.
  if (shared.length > MAX_CHANGES) return [{ changes }];
  const campaigns = leaves.map((at) => changes[at]!.campaignId ?? "");
  const ordered = leaves.map((_, index) => index)
    .sort((a, b) => campaigns[a]! < campaigns[b]! ? -1 : campaigns[a]! > campaigns[b]! ? 1 : a - b);
  const parts: ReviewPart[] = [];
  for (let from = 0; from < Math.max(1, leaves.length); from += MAX_CHANGES) {
    const places = [...shared, ...ordered.slice(from, from + MAX_CHANGES).map((index) => leaves[index]!)];
    parts.push({
      changes: places.map((at) => alone(changes[at]!)),
      places,
      seen: from === 0 ? 0 : shared.length,
    });
  }
  return parts;
}

function alone(change: Change): Change {
  if (change.dependsOn === undefined) return change;
  const { dependsOn: _, ...rest } = change;
  return rest;
}
