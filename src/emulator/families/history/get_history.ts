import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { type JsonObject, writeJson } from "../../core/json.ts";
import { isEmptyPage } from "../../entities/list_entities.ts";
import { readPageToken, writePageToken } from "../../entities/page_token.ts";
import { refusal } from "../../http/refusal.ts";
import type { HistoryEvent } from "../../state/history_event.ts";
import { type HistoryQuery, readHistoryQuery, type Selector } from "./history_query.ts";

/**
 * Responds with a page of changes. A selector with neither ids nor parents finds nothing; one with parents also finds the
 * changes of the campaigns themselves; filters of change types are taken and have no effect.
 */
export function getHistory(context: Context): HttpResponse {
  const { body, clock, profile } = context;
  const query = readHistoryQuery(body, clock);
  const { nextToken, pageOffset: _, ...rest } = body as JsonObject;
  const identity = `${profile.id} history ${writeJson(rest)}`;
  const token = typeof nextToken === "string" ? readPageToken(nextToken, identity) : undefined;
  if (nextToken !== undefined && nextToken !== null && token === undefined) {
    throw refusal(400, "nextToken is not valid for this request", "details");
  }
  // What happens while a caller pages is not shown to it, or the newest first would repeat themselves.
  const known = token?.total ?? profile.history().length;
  const found = findEvents(profile.history().slice(0, known), query);
  const start = token?.position ?? query.pageOffset * query.count;
  const page = token?.page ?? 0;
  const end = isEmptyPage(page, context) ? start : start + query.count;
  const next = end < found.length
    ? { nextToken: writePageToken({ page: page + 1, position: end, total: known }, identity) }
    : {};
  return jsonResponse(200, {
    events: found.slice(start, end).map(toWire),
    totalResults: found.length,
    ...next,
  }, {
    type: context.responseType,
  });
}

/** An event as the response holds it: values that are not there are left out. */
function toWire({ previousValue, newValue, ...event }: HistoryEvent): unknown {
  return {
    ...event,
    ...(previousValue === null ? {} : { previousValue }),
    ...(newValue === null ? {} : { newValue }),
  };
}

function findEvents(events: readonly HistoryEvent[], query: HistoryQuery): HistoryEvent[] {
  const found = events.filter((event) =>
    !event.unpublished && event.timestamp >= query.from && event.timestamp <= query.to &&
    query.selectors.some((selector) => isSelected(event, selector))
  );
  found.sort((a, b) => a.timestamp - b.timestamp);
  return query.newestFirst ? found.reverse() : found;
}

function isSelected({ entityType, entityId, metadata }: HistoryEvent, selector: Selector): boolean {
  if (entityType !== selector.entityType && entityType !== "CAMPAIGN") return false;
  if (entityType === selector.entityType && selector.ids.includes(entityId)) return true;
  return selector.wholeAdvertiser ||
    selector.campaignIds.includes(metadata.campaignId ?? "") ||
    selector.adGroupIds.includes(metadata.adGroupId ?? "");
}
