import {
  HISTORY_CHANGE_TYPES,
  HISTORY_ENTITY_TYPES,
  type HistoryEvent,
} from "../../../client/insights/history_event.ts";
import { readableText } from "../../../base/json/field_path.ts";
import { refusingBadInput } from "../shell/errors/cli_error.ts";
import { command } from "../shell/command.ts";
import { EXIT } from "../shell/errors/exit_codes.ts";
import { parseMoment } from "../shell/options/times.ts";
import { rowPrinter } from "../shell/output/print_rows.ts";
import type { Row } from "../shell/terminal/row_printer.ts";
import { codesLike, positiveInteger, separatedIds } from "../shell/arguments/parse_values.ts";
import { connectProfile } from "../shell/connect/connect.ts";
import { say } from "../shell/output/write_text.ts";

const COLUMNS = ["time", "changeType", "what", "previousValue", "newValue", "entityType", "entityId"];
const FIELDS = [...COLUMNS, "campaignId", "adGroupId", "timestamp"];
const DEFAULT_SINCE = "-7";

export const historyCommand = command(
  (kit) =>
    kit.profileLeaf("history", {
      summary: "List what changed in the account, and when",
      details:
        "The platform keeps 90 days, without who made a change. adsctl plan from-history puts values back.",
      examples: [
        ["adsctl history -m US --since -1 --change bid-amount", "bids that changed in the last 24 hours"],
        ["adsctl history -m US --id 123 --since 2026-10-01 --oldest-first", "one entity since a day"],
      ],
      library: 'for await (const event of profile.history.events({ since: "2026-11-13" })) { ... }',
      fields: FIELDS,
    })
      .option("--since <moment>", "days ago (-7), hours ago (-3h), a day or a moment (default: -7)")
      .option("--until <moment>", "the same (default: now)")
      .option(
        "--entity-type <types>",
        "only campaign, ad-group, ad, keyword, negative-keyword, product-targeting",
        codesLike(HISTORY_ENTITY_TYPES),
      )
      .option(
        "--change <changes>",
        "only bid-amount, budget-amount, status, created, name, ...",
        codesLike(HISTORY_CHANGE_TYPES),
      )
      .option("--id <ids>", "only these entities", separatedIds)
      .option("--campaign-id <ids>", "only these campaigns and what is in them", separatedIds)
      .option("--oldest-first", "oldest first")
      .option("--limit <n>", "print at most so many", positiveInteger),
  async (options, context) => {
    const now = context.io.now();
    const range = (timeZone?: string) => ({
      since: parseMoment(options.since ?? DEFAULT_SINCE, { option: "--since", now, timeZone }),
      until: options.until === undefined
        ? undefined
        : parseMoment(options.until, { option: "--until", now, timeZone, edge: "end" }),
    });
    // What cannot be read is refused before anything is sent.
    range();
    const client = await connectProfile(options, context);
    const { since, until } = range(client.timeZone);
    const printer = rowPrinter({ columns: COLUMNS, fields: FIELDS, main: "what" }, context);
    let count = 0;
    await refusingBadInput(async () => {
      const events = client.history.events({
        since,
        until,
        entityTypes: options.entityType,
        changes: options.change,
        entityIds: options.id,
        campaignIds: options.campaignId,
        newestFirst: options.oldestFirst !== true,
        signal: context.interruption.signal,
      });
      for await (const event of events) {
        await printer.write([eventRow(event)]);
        count++;
        if (count === options.limit) break;
      }
    });
    await printer.end();
    if (count === 0) await say("Nothing changed", context);
    return EXIT.done;
  },
);

function eventRow({ metadata, timestamp, ...event }: HistoryEvent): Row {
  const { campaignId, adGroupId, keyword, keywordType, targetingExpression } = metadata;
  const match = keywordType === undefined ? "" : ` (${keywordType.replace("KEYWORD_", "")})`;
  return {
    time: new Date(timestamp).toISOString(),
    ...event,
    what: keyword === undefined ? readableExpression(targetingExpression) : `${keyword}${match}`,
    campaignId: event.entityType === "CAMPAIGN" ? event.entityId : campaignId,
    adGroupId,
    timestamp,
  };
}

/** A targeting expression as tables show it; in events it is JSON text. */
function readableExpression(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return readableText(JSON.parse(text));
  } catch {
    return text;
  }
}
