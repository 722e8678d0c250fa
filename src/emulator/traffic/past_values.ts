import type { HistoryEvent } from "../state/history_event.ts";
import { Timeline } from "./timeline.ts";

/** Earlier values of entities, from a change history. */
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
   * Timeline of one value of an entity.
   *
   * @param changeType STATUS, BID_AMOUNT, BUDGET_AMOUNT and kin.
   * @param value `now`: the value as it is; `read`: makes a value of the history's text; `where`: leaves out events of
   * other values that have the same type.
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

  /** Creation time of an entity, if recorded. */
  creationOf(entityId: string): number | undefined {
    return this.#events.get(`${entityId} CREATED`)?.[0]?.timestamp;
  }
}
