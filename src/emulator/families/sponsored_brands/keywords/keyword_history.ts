import type { Context } from "../../../routing/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { BrandsKeywordKind } from "./keyword_kind.ts";

type HistoryContext = Pick<Context, "profile" | "clock">;

/** Writes the creation of a keyword into the change history. */
export function recordKeywordCreation(
  kind: BrandsKeywordKind,
  keyword: JsonObject,
  context: HistoryContext,
): void {
  record(kind, keyword, { changeType: "CREATED", previousValue: null, newValue: stateOf(keyword) }, context);
}

/** Writes a keyword's new state and bid into the change history, where they differ. */
export function recordKeywordChanges(
  kind: BrandsKeywordKind,
  { before, after }: { before: JsonObject; after: JsonObject },
  context: HistoryContext,
): void {
  const values = [["STATUS", stateOf(before), stateOf(after)], [
    "BID_AMOUNT",
    bidOf(before),
    bidOf(after),
  ]] as const;
  for (const [changeType, previousValue, newValue] of values) {
    if (previousValue !== newValue) record(kind, after, { changeType, previousValue, newValue }, context);
  }
}

function record(
  kind: BrandsKeywordKind,
  keyword: JsonObject,
  change: { changeType: string; previousValue: string | null; newValue: string | null },
  { profile, clock }: HistoryContext,
): void {
  profile.recordEvent({
    entityType: kind.entityType,
    entityId: String(keyword.keywordId),
    timestamp: clock.now(),
    metadata: {
      campaignId: String(keyword.campaignId),
      adGroupId: String(keyword.adGroupId),
      keyword: String(keyword.keywordText),
      ...matchTypeOf(String(keyword.matchType)),
    },
    ...change,
  });
}

/** The match type as the history words it: KEYWORD_EXACT, NEGATIVE_KEYWORD_PHRASE. */
function matchTypeOf(matchType: string): Readonly<Record<string, string>> {
  const type = matchType.replace("negative", "").toUpperCase();
  return matchType.startsWith("negative")
    ? { negativeTargetingType: `NEGATIVE_KEYWORD_${type}` }
    : { keywordType: `KEYWORD_${type}` };
}

function stateOf(keyword: JsonObject): string {
  return String(keyword.state).toUpperCase();
}

function bidOf(keyword: JsonObject): string | null {
  return keyword.bid === undefined ? null : String(keyword.bid);
}
