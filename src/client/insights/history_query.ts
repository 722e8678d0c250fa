import { checkOptions } from "../entities/model/check_options.ts";
import { chunks } from "../../base/json/chunks.ts";
import {
  HISTORY_DAYS,
  type HistoryChangeType,
  type HistoryEntityType,
  type HistoryEvent,
} from "./history_event.ts";
import { milliseconds, type Moment } from "../../base/time/moment.ts";

/** Filters for changes. A change must match all given filters. */
export interface HistoryOptions {
  /** Earliest time of changes. @default 90 days ago, the limit of the platform's history */
  readonly since?: Moment | undefined;
  /** End. @default now */
  readonly until?: Moment | undefined;
  /** Kinds of entities. @default campaigns, ad groups, ads, keywords, negative keywords, product targeting */
  readonly entityTypes?: readonly HistoryEntityType[] | undefined;
  /** Only these entities; the list can have any length. */
  readonly entityIds?: readonly string[] | undefined;
  /** Only entities of these campaigns, and the campaigns themselves. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only these changes. @default every change */
  readonly changes?: readonly HistoryChangeType[] | undefined;
  /** True for newest first, false for oldest first. @default true */
  readonly newestFirst?: boolean | undefined;
  /** Aborts reading the current page; no further page is requested. */
  readonly signal?: AbortSignal | undefined;
}

export interface HistoryQuery {
  readonly from: number;
  readonly to: number;
  readonly entityTypes: ReadonlySet<HistoryEntityType>;
  readonly entityIds: ReadonlySet<string> | undefined;
  readonly campaignIds: ReadonlySet<string> | undefined;
  readonly changes: ReadonlySet<HistoryChangeType> | undefined;
  readonly newestFirst: boolean;
  readonly selections: readonly Readonly<Record<string, Selection>>[];
  readonly signal: AbortSignal | undefined;
}

export interface Selection {
  readonly eventTypeIds?: readonly string[];
  readonly parents?: readonly ({ readonly campaignId: string } | { readonly useProfileIdAdvertiser: true })[];
}

const OPTIONS: readonly string[] = [
  "since",
  "until",
  "entityTypes",
  "entityIds",
  "campaignIds",
  "changes",
  "newestFirst",
  "signal",
];
const IDS_A_REQUEST = 10;
const DAY = 86_400_000;
/** Safety margin in milliseconds, because the oldest moment may expire while the request travels. */
const MARGIN = 60_000;
const ALL_TYPES: readonly HistoryEntityType[] = [
  "CAMPAIGN",
  "AD_GROUP",
  "AD",
  "KEYWORD",
  "NEGATIVE_KEYWORD",
  "PRODUCT_TARGETING",
];

/**
 * Returns the query for options; `undefined` if nothing can match, for example with an empty list.
 *
 * @throws {TypeError} when an option is unknown.
 * @throws {RangeError} when the range exceeds the platform's history or is reversed.
 */
export function historyQuery(options: HistoryOptions, now: number): HistoryQuery | undefined {
  checkOptions(options, OPTIONS, "read the change history");
  const to = options.until === undefined ? now : milliseconds(options.until);
  const from = options.since === undefined ? now - HISTORY_DAYS * DAY + MARGIN : milliseconds(options.since);
  checkRemembered(from, now);
  if (to < from) {
    throw new RangeError(`Cannot read changes from ${iso(from)} to ${iso(to)}: it ends before it begins`);
  }
  const query = {
    from,
    to,
    entityTypes: new Set(options.entityTypes ?? ALL_TYPES),
    entityIds: toSet(options.entityIds),
    campaignIds: toSet(options.campaignIds),
    changes: toSet(options.changes),
    newestFirst: options.newestFirst ?? true,
    signal: options.signal,
  };
  const lists = [query.entityTypes, query.entityIds, query.campaignIds, query.changes];
  if (lists.some((list) => list?.size === 0)) return undefined;
  return { ...query, selections: selections(query) };
}

export function checkRemembered(moment: number, now: number): void {
  const oldest = now - HISTORY_DAYS * DAY;
  if (moment >= oldest) return;
  throw new RangeError(
    `Cannot read changes since ${iso(moment)}: the platform remembers ${HISTORY_DAYS} days, back to ${
      iso(oldest)
    }`,
  );
}

/** True if an event matches the query, because the platform's filters return additional events. */
export function isAskedFor(event: HistoryEvent, query: HistoryQuery): boolean {
  const campaignId = event.entityType === "CAMPAIGN" ? event.entityId : event.metadata.campaignId;
  return event.timestamp >= query.from && event.timestamp <= query.to &&
    query.entityTypes.has(event.entityType) &&
    (query.changes?.has(event.changeType) ?? true) &&
    (query.entityIds?.has(event.entityId) ?? true) &&
    (query.campaignIds?.has(campaignId ?? "") ?? true);
}

function toSet<T>(list: readonly T[] | undefined): ReadonlySet<T> | undefined {
  return list === undefined ? undefined : new Set(list);
}

function selections(
  { entityTypes, entityIds, campaignIds }: Pick<HistoryQuery, "entityTypes" | "entityIds" | "campaignIds">,
): Record<string, Selection>[] {
  const forAll = (select: (type: HistoryEntityType) => Selection): Record<string, Selection> =>
    Object.fromEntries([...entityTypes].map((type) => [type, select(type)]));
  if (entityIds !== undefined) {
    return chunks([...entityIds], IDS_A_REQUEST).map((eventTypeIds) => forAll(() => ({ eventTypeIds })));
  }
  if (campaignIds !== undefined) {
    return chunks([...campaignIds], IDS_A_REQUEST).map((ids) =>
      forAll((type) =>
        type === "CAMPAIGN" ? { eventTypeIds: ids } : { parents: ids.map((campaignId) => ({ campaignId })) }
      )
    );
  }
  // Without this the platform reports that nothing ever happened.
  return [forAll(() => ({ parents: [{ useProfileIdAdvertiser: true }] }))];
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
