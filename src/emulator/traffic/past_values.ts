import type { HistoryEvent } from "../state/history_event.ts";
import { Timeline } from "./timeline.ts";

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
