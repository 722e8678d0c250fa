import type { JsonObject } from "../core/json.ts";
import type { RuleContext } from "../entities/entity_resource.ts";
import type { FlatResource } from "./flat_resource.ts";

const FOLLOWED: Readonly<Record<string, string>> = {
  state: "STATUS",
  bid: "BID_AMOUNT",
  defaultBid: "BID_AMOUNT",
  budget: "BUDGET_AMOUNT",
  startDate: "START_DATE",
  endDate: "END_DATE",
};

/**
 * Keeps what a state, a bid, a budget or a date was before, so that reports of days that have passed stay as they are. The change
 * history does not return changes of Sponsored Display.
 */
export function recordFlatChanges(
  { idField }: FlatResource,
  { before, after }: { before: JsonObject; after: JsonObject },
  { profile, clock }: Pick<RuleContext, "profile" | "clock">,
): void {
  for (const [field, changeType] of Object.entries(FOLLOWED)) {
    if (before[field] === after[field]) continue;
    profile.recordEvent({
      entityType: "DISPLAY",
      entityId: String(after[idField]),
      changeType,
      previousValue: textOf(before[field]),
      newValue: textOf(after[field]),
      timestamp: clock.now(),
      metadata: {},
      unpublished: true,
    });
  }
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
