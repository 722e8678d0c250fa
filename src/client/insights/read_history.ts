import { idKey } from "../../base/json/id_of.ts";
import { milliseconds } from "../../base/time/moment.ts";
import { PlatformAdsError } from "../../errors.ts";
import { PageTokens } from "../../platform/transport/page_tokens.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { Fields } from "../entities/model/resource_wire.ts";
import type { HistoryEvent } from "./history_event.ts";
import {
  type HistoryOptions,
  type HistoryQuery,
  historyQuery,
  isAskedFor,
  type Selection,
} from "./history_query.ts";

export { milliseconds } from "../../base/time/moment.ts";
export { checkRemembered } from "./history_query.ts";

const EVENTS_A_PAGE = 200;

/** Reads changes in order of time, fetching pages on demand. */
export async function* readHistory(
  scope: ProfileScope,
  options: HistoryOptions,
): AsyncGenerator<HistoryEvent, void, undefined> {
  const query = historyQuery(options, scope.transport.now());
  if (query === undefined) return;
  const sequences = query.selections.map((selection) => select(scope, selection, query));
  const before = (a: HistoryEvent, b: HistoryEvent): boolean =>
    query.newestFirst ? a.timestamp > b.timestamp : a.timestamp < b.timestamp;
  yield* mergeOrdered(sequences, { before });
}

async function* select(
  scope: ProfileScope,
  eventTypes: Readonly<Record<string, Selection>>,
  query: HistoryQuery,
): AsyncGenerator<HistoryEvent, void, undefined> {
  const tokens = new PageTokens("read the change history");
  let nextToken: string | undefined;
  do {
    const response = await scope.request("POST", "/history", {
      json: {
        eventTypes,
        fromDate: query.from,
        toDate: query.to,
        count: EVENTS_A_PAGE,
        sort: { key: "DATE", direction: query.newestFirst ? "DESC" : "ASC" },
        ...(nextToken === undefined ? {} : { nextToken }),
      },
      idempotent: true,
      signal: query.signal,
    }) as Fields | undefined;
    const page = (response?.["events"] ?? []) as Fields[];
    for (const record of page) {
      const event = eventFromWire(record);
      if (isAskedFor(event, query)) yield event;
    }
    nextToken = tokens.next(response?.["nextToken"], page);
  } while (nextToken !== undefined);
}

function eventFromWire(record: Fields): HistoryEvent {
  return {
    entityType: String(record["entityType"]),
    entityId: idKey(record, "entityId"),
    changeType: String(record["changeType"]),
    previousValue: text(record["previousValue"]),
    newValue: text(record["newValue"]),
    timestamp: timeOf(record["timestamp"]),
    metadata: (record["metadata"] ?? {}) as HistoryEvent["metadata"],
  };
}

/**
 * Returns a time in epoch milliseconds; the platform may send it as text.
 *
 * @throws {PlatformAdsError} for anything else, because an event without a time would disappear from every selection.
 */
function timeOf(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const time = typeof value === "string" ? fromText(value) : NaN;
  if (Number.isFinite(time)) return time;
  throw new PlatformAdsError(
    `Cannot read the change history: an event has the time ${JSON.stringify(value) ?? "undefined"}`,
  );
}

function fromText(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  try {
    return milliseconds(value);
  } catch {
    return Date.parse(value);
  }
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** Merges ordered sequences into one, lazily. */
export async function* mergeOrdered<T>(
  sequences: readonly AsyncGenerator<T, void, undefined>[],
  options: { before: (a: T, b: T) => boolean },
): AsyncGenerator<T, void, undefined> {
  const heads: { value: T; rest: AsyncGenerator<T, void, undefined> }[] = [];
  try {
    for (const rest of sequences) {
      const first = await rest.next();
      if (!first.done) heads.push({ value: first.value, rest });
    }
    while (heads.length > 0) {
      let at = 0;
      heads.forEach((head, index) => {
        if (options.before(head.value, heads[at]!.value)) at = index;
      });
      const { value, rest } = heads[at]!;
      yield value;
      const next = await rest.next();
      if (next.done) heads.splice(at, 1);
      else heads[at] = { value: next.value, rest };
    }
  } finally {
    await Promise.all(sequences.map((sequence) => sequence.return()));
  }
}
