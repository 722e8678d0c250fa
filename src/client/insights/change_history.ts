import { idKey } from "../../base/json/id_of.ts";
import { PlatformAdsError } from "../../errors.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { checkOptions } from "../entities/model/check_options.ts";
import type { Resource, ResourceScope } from "../entities/resource/resource.ts";
import type { Fields } from "../entities/model/resource_wire.ts";
import { PageTokens } from "../../platform/transport/page_tokens.ts";
import type { HistoryChangeType, HistoryEntityType, HistoryEvent } from "./history_event.ts";
import {
  checkRemembered,
  type HistoryOptions,
  type HistoryQuery,
  historyQuery,
  isAskedFor,
  type Selection,
} from "./history_query.ts";
import { milliseconds, type Moment } from "../../base/time/moment.ts";
import type { RestoreOptions } from "./plan_restore.ts";

const EVENTS_A_PAGE = 200;
const RESTORE_OPTIONS: readonly string[] = [
  "until",
  "entityTypes",
  "changes",
  "campaignIds",
  "created",
  "only",
  "note",
  "signal",
];

/** Options of {@linkcode ChangeHistory.valueAt}. */
export interface ValueAtOptions {
  /** Type of change that determines which value is returned, for example `BID_AMOUNT`. */
  readonly change: HistoryChangeType;
  /** The moment. */
  readonly at: Moment;
  /** Events that were already read, to save the request; they must cover the time from `at` until now. */
  readonly events?: readonly HistoryEvent[] | undefined;
  /** Aborts the request for events. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Changes in the account in the last 90 days. Changes of display ads are not recorded by the platform.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function yesterday(us: ProfileClient): Promise<void> {
 *   const since = new Date(Date.now() - 86_400_000);
 *   for await (const { entityId, changeType, previousValue, newValue } of us.history.events({ since })) {
 *     console.log(entityId, changeType, previousValue, newValue);
 *   }
 *   const plan = await us.history.rollbackPlan(since); // nothing is sent
 *   console.log(plan.toMarkdown(), plan.warnings);
 * }
 * ```
 */
export class ChangeHistory {
  readonly #scope: ResourceScope;
  readonly #resource: (kind: string) => Resource;

  /**
   * Creates the change history of a profile.
   *
   * @param scope The profile and the way to it.
   * @param resource Finds the resource of a kind, for the plan that restores values.
   */
  constructor(scope: ResourceScope, resource: (kind: string) => Resource) {
    this.#scope = scope;
    this.#resource = resource;
  }

  /**
   * Iterates over the changes in order of time, fetching pages on demand.
   *
   * @throws {RangeError} for a time before the platform's history begins. Nothing was sent.
   */
  async *events(options: HistoryOptions = {}): AsyncGenerator<HistoryEvent, void, undefined> {
    const query = historyQuery(options, this.#scope.transport.now());
    if (query === undefined) return;
    const sequences = query.selections.map((selection) => this.#select(selection, query));
    const before = (a: HistoryEvent, b: HistoryEvent): boolean =>
      query.newestFirst ? a.timestamp > b.timestamp : a.timestamp < b.timestamp;
    yield* mergeOrdered(sequences, { before });
  }

  /** Returns the changes as a list. */
  async list(options: HistoryOptions = {}): Promise<HistoryEvent[]> {
    const found: HistoryEvent[] = [];
    for await (const event of this.events(options)) found.push(event);
    return found;
  }

  /**
   * Returns the value of an entity at a moment, as text; `undefined` if no such change is recorded, which means that
   * the current value applied.
   *
   * @throws {RangeError} for a moment before the platform's history begins, unless `events` are given. Nothing was
   * sent.
   */
  async valueAt(
    entityType: HistoryEntityType,
    entityId: string,
    options: ValueAtOptions,
  ): Promise<string | undefined> {
    const at = milliseconds(options.at);
    const { change, signal } = options;
    if (options.events === undefined) checkRemembered(at, this.#scope.transport.now());
    const events = options.events ??
      await this.list({ entityTypes: [entityType], entityIds: [entityId], changes: [change], signal });
    const ofEntity = events.filter((event) =>
      event.entityType === entityType && event.entityId === entityId && event.changeType === change
    ).sort((a, b) => a.timestamp - b.timestamp);
    const next = ofEntity.find((event) => event.timestamp > at);
    return next === undefined ? ofEntity.at(-1)?.newValue : next.previousValue;
  }

  /**
   * Plans to restore values changed since a moment. Bids, states, budgets, names, dates, portfolios and placements
   * return to their values before the first change, and entities created since are paused. The plan's warnings name
   * everything that cannot be restored.
   *
   * @param since The moment.
   * @throws {RangeError} for a moment before the platform's history begins, or an `until` before it. Nothing was sent.
   */
  async rollbackPlan(since: Moment, options: RestoreOptions = {}): Promise<ChangePlan> {
    checkOptions(options, RESTORE_OPTIONS, "restore values");
    const { entityTypes, changes, campaignIds, created = "pause", signal } = options;
    const from = new Date(milliseconds(since)).toISOString();
    const until = options.until === undefined ? Infinity : milliseconds(options.until);
    if (until < milliseconds(since)) {
      throw new RangeError(
        `Cannot restore changes from ${from} to ${new Date(until).toISOString()}: it ends before it begins`,
      );
    }
    if (!["pause", "archive", "keep"].includes(created)) {
      throw new TypeError(`Cannot restore with created "${created}": expected one of pause, archive, keep`);
    }
    const filter = { since, entityTypes, changes, campaignIds, newestFirst: false, signal };
    const { planRestore } = await import("./plan_restore.ts");
    return await planRestore(await this.list(filter), {
      scope: this.#scope,
      resource: this.#resource,
      until,
      created,
      only: options.only,
      note: options.note ?? `Restore the values of ${from}`,
      signal,
    });
  }

  async *#select(
    eventTypes: Readonly<Record<string, Selection>>,
    query: HistoryQuery,
  ): AsyncGenerator<HistoryEvent, void, undefined> {
    const tokens = new PageTokens("read the change history");
    let nextToken: string | undefined;
    do {
      const response = await this.#scope.request("POST", "/history", {
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
