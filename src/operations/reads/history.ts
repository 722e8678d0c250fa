import { readableText } from "../../base/json/field_path.ts";
import type { HistoryEvent } from "../../client/insights/history_event.ts";
import { CHANGES_FIELD, HISTORY_FIELDS, momentsIn } from "../model/history_fields.ts";
import { defineList } from "./read_operation.ts";

export const history = defineList({
  name: "account history",
  tool: "get_change_history",
  title: "Get change history",
  noun: "changes",
  summary: "List what changed in the account, and when",
  details:
    "The platform keeps 90 days of history, without the author. adsctl plan from-history restores values.",
  brief: "Changes of the last 90 days, newest first. Entity types: CAMPAIGN, AD_GROUP, KEYWORD, " +
    "PRODUCT_TARGETING; changes: BID_AMOUNT, STATUS, BUDGET_AMOUNT, CREATED and others.",
  examples: [
    { input: { since: "-1", changes: ["BID_AMOUNT"] }, about: "list bid changes of the last 24 hours" },
    {
      input: { since: "-30", entity_ids: ["123"], oldest_first: true },
      about: "list 30 days of one entity",
    },
  ],
  library: 'for await (const event of profile.history.events({ since: "2026-11-13" })) { ... }',
  input: {
    since: {
      type: "moment",
      default: "-7",
      help: "days ago (-7), hours ago (-3h), a date or a time",
      brief: "-7, last week, ISO day or time",
    },
    ...HISTORY_FIELDS,
    entity_ids: { type: "ids", option: "id", help: "only these entities" },
    changes: CHANGES_FIELD,
    oldest_first: { type: "switch", help: "oldest first", isRare: true },
  },
  run: ({ profile, signal }, input) =>
    Promise.resolve(profile.history.events({
      ...momentsIn(profile, input),
      entityTypes: input.entity_types,
      entityIds: input.entity_ids,
      campaignIds: input.campaign_ids,
      changes: input.changes,
      newestFirst: input.oldest_first !== true,
      signal,
    })),
});

/** An event with its time as text, what it is about in words, and the campaign and ad group that it belongs to. */
export interface HistoryRow extends Omit<HistoryEvent, "metadata"> {
  readonly time: string;
  readonly what: string | undefined;
  readonly campaignId: string | undefined;
  readonly adGroupId: string | undefined;
}

export function historyRow({ metadata, ...event }: HistoryEvent): HistoryRow {
  const { campaignId, adGroupId, keyword, keywordType, targetingExpression } = metadata;
  const match = keywordType === undefined ? "" : ` (${keywordType.replace("KEYWORD_", "")})`;
  return {
    time: new Date(event.timestamp).toISOString(),
    ...event,
    what: keyword === undefined ? readableExpression(targetingExpression) : `${keyword}${match}`,
    campaignId: event.entityType === "CAMPAIGN" ? event.entityId : campaignId,
    adGroupId,
  };
}

/** Makes an expression readable. Events store expressions as JSON text. */
function readableExpression(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return readableText(JSON.parse(text));
  } catch {
    return text;
  }
}
