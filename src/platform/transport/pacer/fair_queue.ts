/** Which requests go first while the platform throttles: what a person waits for, or what runs in the background. */
export type Priority = "interactive" | "bulk";

/** An entry of a {@linkcode FairQueue}. */
export interface Waiting {
  /** Owner of the entry; each caller gets an equal share. */
  readonly caller: unknown;
  /** Weight in the share of its caller. */
  readonly weight: number;
  /** Interactive work goes before bulk work. */
  readonly priority: Priority;
  /** True for what had its turn and was refused: it goes before the others of its caller. */
  readonly retried: boolean;
}

/** Every fifth turn is for bulk work, also while interactive work waits. */
const BULK_TURN = 5;

/**
 * A queue in which every caller gets an equal share by weight, however many requests each of them has waiting: the
 * order is that of start-time fair queueing.
 */
export class FairQueue<T extends Waiting> {
  readonly #classes = { interactive: new Class<T>(), bulk: new Class<T>() };
  #turn = 0;

  /** Number of waiting entries. */
  get size(): number {
    return this.#classes.interactive.size + this.#classes.bulk.size;
  }

  /** All that wait, those first that go first, but for the turns of bulk work. */
  inOrder(): T[] {
    return [...this.#classes.interactive.inOrder(), ...this.#classes.bulk.inOrder()];
  }

  /** Adds one, behind the others of its caller. */
  add(item: T): void {
    this.#classes[item.priority].add(item);
  }

  /** The next one; it stays. */
  peek(): T | undefined {
    return this.#next().peek();
  }

  take(): T | undefined {
    const item = this.#next().take();
    if (item !== undefined) this.#turn++;
    return item;
  }

  /** Takes one out that no longer waits; true when it was there. */
  remove(item: T): boolean {
    return this.#classes[item.priority].remove(item);
  }

  #next(): Class<T> {
    const { interactive, bulk } = this.#classes;
    if (interactive.size === 0) return bulk;
    return bulk.size > 0 && this.#turn % BULK_TURN === BULK_TURN - 1 ? bulk : interactive;
  }
}

/** Waiting entries of one caller. */
interface CallerQueue<T> {
  readonly retried: T[];
  readonly fresh: T[];
  /** Start of its next turn, in weights. */
  start: number;
}

/** The callers of one priority; those that begin at the same place go in the order in which they came. */
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
