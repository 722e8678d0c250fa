/**
 * Priority while the platform throttles: `interactive` requests (a person waits) precede `bulk` ones (background work).
 */
export type Priority = "interactive" | "bulk";

export interface Waiting {
  readonly caller: unknown;
  readonly weight: number;
  /** Interactive entries precede bulk entries. */
  readonly priority: Priority;
  readonly retried: boolean;
}

const BULK_TURN = 5;

/** Queue with equal shares by weight for each caller, however many entries it has (start-time fair queueing). */
export class FairQueue<T extends Waiting> {
  readonly #classes = { interactive: new Class<T>(), bulk: new Class<T>() };
  #turn = 0;

  get size(): number {
    return this.#classes.interactive.size + this.#classes.bulk.size;
  }

  inOrder(): T[] {
    return [...this.#classes.interactive.inOrder(), ...this.#classes.bulk.inOrder()];
  }

  add(item: T): void {
    this.#classes[item.priority].add(item);
  }

  peek(): T | undefined {
    return this.#next().peek();
  }

  take(): T | undefined {
    const item = this.#next().take();
    if (item !== undefined) this.#turn++;
    return item;
  }

  remove(item: T): boolean {
    return this.#classes[item.priority].remove(item);
  }

  #next(): Class<T> {
    const { interactive, bulk } = this.#classes;
    if (interactive.size === 0) return bulk;
    return bulk.size > 0 && this.#turn % BULK_TURN === BULK_TURN - 1 ? bulk : interactive;
  }
}

interface CallerQueue<T> {
  readonly retried: T[];
  readonly fresh: T[];
  start: number;
}

class Class<T extends Waiting> {
  readonly #callers = new Map<unknown, CallerQueue<T>>();
  #time = 0;
  size = 0;

  add(item: T): void {
    let caller = this.#callers.get(item.caller);
    if (caller === undefined) {
      caller = { retried: [], fresh: [], start: this.#time };
      this.#callers.set(item.caller, caller);
    }
    caller.start = Math.max(caller.start, this.#time);
    caller[item.retried ? "retried" : "fresh"].push(item);
    this.size++;
  }

  peek(): T | undefined {
    const caller = this.#first();
    return caller?.retried[0] ?? caller?.fresh[0];
  }

  take(): T | undefined {
    const caller = this.#first();
    const item = caller?.retried.shift() ?? caller?.fresh.shift();
    if (caller === undefined || item === undefined) return undefined;
    this.#time = caller.start;
    caller.start += item.weight;
    this.#left();
    return item;
  }

  remove(item: T): boolean {
    const list = this.#callers.get(item.caller)?.[item.retried ? "retried" : "fresh"] ?? [];
    const at = list.indexOf(item);
    if (at < 0) return false;
    list.splice(at, 1);
    this.#left();
    return true;
  }

  inOrder(): T[] {
    const all = [...this.#callers.values()].flatMap(({ retried, fresh, start }) => {
      let at = start;
      return [...retried, ...fresh].map((item) => {
        const place = { item, start: at };
        at += item.weight;
        return place;
      });
    });
    return all.sort((a, b) => a.start - b.start).map(({ item }) => item);
  }

  #left(): void {
    this.size--;
    if (this.size === 0) this.#callers.clear();
  }

  #first(): CallerQueue<T> | undefined {
    let first: CallerQueue<T> | undefined;
    for (const [key, caller] of this.#callers) {
      // Whoever has nothing waiting and no more than its share behind it starts like anybody new.
      if (!isIdle(caller)) {
        if (first === undefined || caller.start < first.start) first = caller;
      } else if (caller.start <= this.#time) this.#callers.delete(key);
    }
    return first;
  }
}

function isIdle({ retried, fresh }: CallerQueue<unknown>): boolean {
  return retried.length === 0 && fresh.length === 0;
}
