import type { Warehouse } from "../../../store/warehouse/warehouse.ts";

interface Held {
  readonly store: Promise<Warehouse>;
  opened?: Warehouse;
  users: number;
  closing?: ReturnType<typeof setTimeout>;
}

/** Milliseconds for which an unused store stays open: requests of a page come together. */
const LINGER = 1000;

/**
 * A store that requests share, because opening one takes longer than most queries. It is opened anew once somebody
 * else has written to it.
 */
export class SharedStore {
  readonly #open: () => Promise<Warehouse>;
  readonly #linger: number;
  #held: Held | undefined;

  constructor(open: () => Promise<Warehouse>, linger = LINGER) {
    this.#open = open;
    this.#linger = linger;
  }

  async use<T>(step: (store: Warehouse) => Promise<T>): Promise<T> {
    const held = this.#current();
    clearTimeout(held.closing);
    held.users++;
    try {
      return await step(await held.store);
    } finally {
      held.users--;
      if (held.users === 0) await this.#leave(held);
    }
  }

  /** Closes the store, unless it is in use: then its last user does. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held?.users === 0) await closed(held);
  }

  #current(): Held {
    const held = this.#held;
    if (held !== undefined) {
      if (held.opened === undefined || held.opened.isUnchanged()) return held;
      void this.close();
    }
    const store = this.#open();
    const next: Held = { store, users: 0 };
    store.then((opened) => next.opened = opened, () => this.#held === next && (this.#held = undefined));
    return this.#held = next;
  }

  async #leave(held: Held): Promise<void> {
    if (this.#held !== held) return await closed(held);
    if (held.opened?.isUnchanged()) held.closing = setTimeout(() => void this.close(), this.#linger);
    else await this.close();
  }
}

/** Nothing is lost where it cannot be closed: all writes have ended. */
async function closed(held: Held): Promise<void> {
  clearTimeout(held.closing);
  await held.opened?.close().catch(() => {});
}
