import type { JsonObject } from "../core/json.ts";
import type { HistoryEvent } from "../state/history_event.ts";

interface TimelineChange<T> {
  readonly at: number;
  readonly before: T;
}

/** Value at any moment, derived from its present value and its recorded changes. */
export class Timeline<T> {
  readonly #now: T;
  readonly #changes: readonly TimelineChange<T>[];

  /** Takes the current value and its changes, oldest first. */
  constructor(now: T, changes: readonly TimelineChange<T>[] = []) {
    this.#now = now;
    this.#changes = changes;
  }

  at(moment: number): T {
    const next = this.#changes[this.#firstAfter(moment)];
    return next === undefined ? this.#now : next.before;
  }

  changesWithin(from: number, to: number): boolean {
    const next = this.#changes[this.#firstAfter(from)];
    return next !== undefined && next.at < to;
  }

  /** Binary search, because an hourly schedule makes thousands of changes per year. */
  #firstAfter(moment: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.at > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  values(): T[] {
    return [...this.#changes.map(({ before }) => before), this.#now];
  }
}

export class PastValues {
  readonly #events = new Map<string, HistoryEvent[]>();

  constructor(history: readonly HistoryEvent[]) {
    for (const event of history) {
      const key = `${event.entityId} ${event.changeType}`;
      const events = this.#events.get(key);
      if (events === undefined) this.#events.set(key, [event]);
      else events.push(event);
    }
  }

  /**
   * @param changeType For example STATUS, BID_AMOUNT or BUDGET_AMOUNT.
   * @param value `now`: current value; `read`: parses the history's text; `where`: skips events of other values with
   * the same type.
   */
  of<T>(
    entityId: string,
    changeType: string,
    { now, read, where = () => true }: {
      now: T;
      read: (text: string | null) => T;
      where?: (event: HistoryEvent) => boolean;
    },
  ): Timeline<T> {
    const events = (this.#events.get(`${entityId} ${changeType}`) ?? []).filter(where);
    return new Timeline(
      now,
      events.map(({ timestamp, previousValue }) => ({
        at: timestamp,
        before: read(previousValue),
      })),
    );
  }

  creationOf(entityId: string): number | undefined {
    return this.#events.get(`${entityId} CREATED`)?.[0]?.timestamp;
  }
}

export class Life {
  readonly state: Timeline<string>;
  readonly #created: number;

  constructor(entity: JsonObject, id: string, past: PastValues) {
    this.#created = createdAt(entity) ?? past.creationOf(id) ?? -Infinity;
    this.state = past.of(id, "STATUS", { now: upper(entity.state), read: upper });
  }

  isOn(moment: number): boolean {
    return moment >= this.#created && this.state.at(moment) === "ENABLED";
  }

  turnsWithin(from: number, to: number): boolean {
    return (this.#created > from && this.#created < to) || this.state.changesWithin(from, to);
  }

  get everOn(): boolean {
    return this.state.values().includes("ENABLED");
  }
}

function createdAt(entity: JsonObject): number | undefined {
  const { creationDateTime, creationDate } = (entity.extendedData ?? {}) as JsonObject;
  if (typeof creationDateTime === "string") return Date.parse(creationDateTime);
  return typeof creationDate === "number" ? creationDate : undefined;
}

function upper(text: unknown): string {
  return String(text ?? "ENABLED").toUpperCase();
}
