import type { Warehouse } from "./warehouse.ts";

interface Held {
  readonly store: Promise<Warehouse>;
  opened?: Warehouse;
  users: number;
  closing?: ReturnType<typeof setTimeout>;
}

/**
 * A store that readers share, because opening one takes longer than most queries. It is opened anew once somebody
 * else has written to it.
 */
export class SharedStore {
  readonly #open: () => Promise<Warehouse>;
  readonly #linger: number | undefined;
  #held: Held | undefined;

  /** @param linger Milliseconds for which an unused store stays open. @default until it is closed */
  constructor(open: () => Promise<Warehouse>, linger?: number) {
    this.#open = open;
    this.#linger = linger;
  }

  /** Gives the shared store to work that only reads; it may be closed when the work has ended. */
  async use<T>(step: (store: Warehouse) => Promise<T>): Promise<T> {
    const held = await this.#take();
    try {
      return await step(await held.store);
    } finally {
      await this.#leave(held);
    }
  }

  /** Gives a store of its own to work that may write: reads of the shared one would wait for its transactions. */
  async useOwn<T>(step: (store: Warehouse) => Promise<T>): Promise<T> {
    const store = await this.#open();
    try {
      return await step(store);
    } finally {
      await closed(store);
    }
  }

  /** Closes the shared store, unless it is in use: then its last user does. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    clearTimeout(held?.closing);
    if (held?.users === 0) await closed(held.opened);
  }

  async #take(): Promise<Held> {
    const held = this.#held ??= this.#opening();
    held.users++;
    clearTimeout(held.closing);
    if (held.opened === undefined || await held.opened.isUnchanged()) return held;
    if (this.#held === held) this.#held = undefined;
    await this.#leave(held);
    return await this.#take();
  }

  #opening(): Held {
    const held: Held = { store: this.#open(), users: 0 };
    held.store.then((opened) => held.opened = opened, () => this.#held === held && (this.#held = undefined));
    return held;
  }

  async #leave(held: Held): Promise<void> {
    held.users--;
    if (held.users > 0) return;
    if (this.#held !== held) return await closed(held.opened);
    if (this.#linger !== undefined) held.closing = setTimeout(() => void this.close(), this.#linger);
  }
}

/** Nothing is lost where it cannot be closed: all writes have ended. */
async function closed(store: Warehouse | undefined): Promise<void> {
  await store?.close().catch(() => {});
}
