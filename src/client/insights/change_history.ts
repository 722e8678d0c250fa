import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { checkOptions } from "../entities/model/check_options.ts";
import type { Resource, ResourceScope } from "../entities/resource/resource.ts";
import type { HistoryChangeType, HistoryEntityType, HistoryEvent } from "./history_event.ts";
import type { HistoryOptions } from "./history_query.ts";
import type { Moment } from "../../base/time/moment.ts";
import type { RestoreOptions } from "./plan_restore.ts";

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
    const { readHistory } = await reading();
    yield* readHistory(this.#scope, options);
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
    const { change, signal } = options;
    const { checkRemembered, milliseconds } = await reading();
    const at = milliseconds(options.at);
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
    const { milliseconds } = await reading();
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
}

/** Reading is loaded with the first request. */
const reading = (): Promise<typeof import("./read_history.ts")> => import("./read_history.ts");
