import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Most events that are kept of all sessions together, and most characters of them. */
const MAX_EVENTS = 10_000;
const MAX_CHARACTERS = 32_000_000;

interface KeptEvent {
  readonly session: symbol;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

/** The event store of one session. */
export type SessionEvents = Required<EventStore> & {
  /** Forgets the session's events. */
  close(): void;
};

/**
 * The newest events of all sessions, bounded together: a client whose stream broke reads on from the last event that it
 * has seen (`Last-Event-ID`). A session finds its own events only.
 */
export class ReplayEvents {
  readonly #events = new Map<string, KeptEvent>();
  readonly #limits: { readonly events: number; readonly characters: number };
  #characters = 0;
  #count = 0;

  /** @param limits How much is kept. */
  constructor(limits: { readonly events?: number; readonly characters?: number } = {}) {
    this.#limits = { events: MAX_EVENTS, characters: MAX_CHARACTERS, ...limits };
  }

  /** Number of kept events. */
  get size(): number {
    return this.#events.size;
  }

  /** The events of a new session. */
  session(): SessionEvents {
    const session = Symbol("session");
    const own = (id: string): KeptEvent | undefined => {
      const event = this.#events.get(id);
      return event?.session === session ? event : undefined;
    };
    return {
      storeEvent: (stream, message) =>
        Promise.resolve(
          this.#add({ session, stream, message, size: JSON.stringify(message).length }),
        ),
      getStreamIdForEventId: (id) => Promise.resolve(own(id)?.stream),
      replayEventsAfter: async (last, { send }) => {
        const stream = own(last)?.stream;
        if (stream === undefined) throw new RangeError("Cannot resume a stream: its last event is not kept");
        let isAfter = false;
        for (const [id, event] of [...this.#events]) {
          const isOwn = event.session === session && event.stream === stream;
          // The first event of a stream has no message: it only gives the client an id to resume from.
          if (isAfter && isOwn && Object.keys(event.message).length > 0) await send(id, event.message);
          if (id === last) isAfter = true;
        }
        return stream;
      },
      close: () => {
        for (const [id, event] of [...this.#events]) if (event.session === session) this.#drop(id, event);
      },
    };
  }

  #add(event: KeptEvent): string {
    const id = `${++this.#count}-${crypto.randomUUID()}`;
    this.#events.set(id, event);
    this.#characters += event.size;
    for (const [oldest, dropped] of this.#events) {
      const fits = this.#events.size <= this.#limits.events && this.#characters <= this.#limits.characters;
      if (fits || oldest === id) break;
      this.#drop(oldest, dropped);
    }
    return id;
  }

  #drop(id: string, { size }: KeptEvent): void {
    this.#events.delete(id);
    this.#characters -= size;
  }
}
