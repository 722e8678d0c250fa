import { pipeline } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { gunzip } from "../../client/reports/file/gunzip.ts";
import { pause, realSleep, type Sleep } from "../../base/time/clock.ts";
import type { AddressRange, ReadObject } from "../model/stream_tables.ts";
import { StoreError } from "../model/store_error.ts";
import { MessageSplitter, type SplitMessage } from "./message_splitter.ts";
import type { StreamMessage } from "./read_message.ts";
import type { DeliveryOptions, ObjectCounts, StreamDelivery, StreamSource } from "./stream_source.ts";

export interface DeliveredObject {
  readonly address: string;
  readonly name: string;
  /** Changes with the content; `undefined` for pipes, which are not remembered. */
  readonly version: string | undefined;
  readonly modified: number;
}

export interface ObjectPage {
  readonly objects: readonly DeliveredObject[];
  readonly range: AddressRange | undefined;
}

export interface ObjectPlace {
  readonly name: string;
  pages(signal: AbortSignal | undefined): AsyncIterable<ObjectPage>;
  open(
    object: DeliveredObject,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array> | "gone" | "replaced" | "archived">;
}

/** Settings of a source of objects. */
export interface ObjectSourceOptions {
  /** True to look for new objects every minute. @default false, ends after those that are there */
  readonly follow?: boolean | undefined;
  /** Current time in milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Waits between two checks, and before a broken transfer is retried. @default real time */
  readonly sleep?: Sleep | undefined;
}

export class BrokenTransfer extends StoreError {}

const AT_ONCE = 1000;
/** Milliseconds after which an object that ends inside a record counts as complete. */
const SETTLED = 15 * 60_000;
const LOOK_AGAIN = 60;
const MAX_TRIES = 5;

/** Skips objects that were read before and have not changed. */
export function objectSource(place: ObjectPlace, options: ObjectSourceOptions = {}): StreamSource {
  const { sleep = realSleep, follow = false } = options;
  return {
    name: place.name,
    async *deliveries(asked) {
      const { signal, once = false } = asked;
      for (;;) {
        yield* new ObjectReader(place, { ...options, sleep }).read(asked);
        if (once || !follow || signal?.aborted) return;
        await pause(LOOK_AGAIN, { signal, sleep });
        if (signal?.aborted) return;
      }
    },
  };
}

type Outcome = "read" | "stopped" | Exclude<keyof ObjectCounts, "known">;

const NONE: ObjectCounts = { known: 0, unfinished: 0, gone: 0, archived: 0 };

class ObjectReader {
  readonly #place: ObjectPlace;
  readonly #options: ObjectSourceOptions & { readonly sleep: Sleep };
  #messages: StreamMessage[] = [];
  #read: ReadObject[] = [];
  #counts: { -readonly [Count in keyof ObjectCounts]: number } = { ...NONE };

  constructor(place: ObjectPlace, options: ObjectSourceOptions & { readonly sleep: Sleep }) {
    this.#place = place;
    this.#options = options;
  }

  async *read({ signal, memory }: DeliveryOptions): AsyncGenerator<StreamDelivery> {
    for await (const { objects, range } of this.#place.pages(signal)) {
      const addresses = objects.map(({ address }) => address);
      const known = await memory?.objects(addresses);
      for (const object of objects) {
        const { address, version } = object;
        if (version !== undefined && known?.get(address) === version) {
          this.#counts.known++;
          continue;
        }
        if (signal?.aborted) break;
        const outcome = yield* this.#object(object, signal);
        if (outcome === "stopped") break;
        if (outcome !== "read") this.#counts[outcome]++;
        else if (version !== undefined) this.#read.push({ address, version });
      }
      if (signal?.aborted) break;
      if (range !== undefined) await memory?.forgetObjects(range, new Set(addresses));
    }
    const others = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    if (this.#messages.length + this.#read.length + others > 0) {
      yield this.#delivery(this.#messages);
    }
  }

  async *#object(
    object: DeliveredObject,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamDelivery, Outcome> {
    const { now = Date.now, sleep } = this.#options;
    let cut: string | undefined;
    const mayGrow = object.version !== undefined && now() - object.modified < SETTLED;
    for (let attempt = 1;; attempt++) {
      const splitter = new MessageSplitter();
      try {
        const bytes = await this.#place.open(object, signal);
        if (bytes === "gone" || bytes === "archived") return bytes;
        if (bytes === "replaced") return "unfinished";
        for await (const piece of textOf(bytes, cut === undefined ? gunzip : gunzipCut)) {
          if (signal?.aborted) return "stopped";
          yield* this.#add(object, splitter.push(piece));
        }
        if (cut !== undefined) return this.#setAside(object, cut);
        if (splitter.isCutOff && mayGrow) return "unfinished";
        yield* this.#add(object, splitter.end());
        return "read";
      } catch (error) {
        if (signal?.aborted) return "stopped";
        const { code = "", message } = error as NodeJS.ErrnoException;
        if (code === "Z_BUF_ERROR" && cut === undefined) {
          if (mayGrow) return "unfinished";
          cut = message;
          continue;
        }
        if (code.startsWith("Z_")) return this.#setAside(object, message);
        if (!(error instanceof BrokenTransfer) || attempt === MAX_TRIES) throw error;
        // Read from the beginning: records that are stored already are skipped.
        await sleep(attempt, signal);
      }
    }
  }

  /** Stores the reason as an unreadable message, so that other objects can continue. */
  #setAside({ name }: DeliveredObject, reason: string): "read" {
    this.#messages.push({ id: name, body: `The file ${name} cannot be unpacked: ${reason}` });
    return "read";
  }

  *#add({ name }: DeliveredObject, found: readonly SplitMessage[]): Generator<StreamDelivery> {
    for (const { line, body } of found) {
      this.#messages.push({ id: `${name}:${line}`, body });
      if (this.#messages.length === AT_ONCE) yield this.#delivery(this.#messages);
    }
  }

  #delivery(messages: readonly StreamMessage[]): StreamDelivery {
    const [objects, counts] = [this.#read, this.#counts];
    this.#messages = [];
    this.#read = [];
    this.#counts = { ...NONE };
    return { messages, objects, counts, acknowledge: () => Promise.resolve(0), end: () => {} };
  }
}

/** Decompresses based on the first bytes. */
async function* textOf(
  source: AsyncIterable<Uint8Array>,
  unpack: (packed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    const first: Uint8Array[] = [];
    const begin: number[] = [];
    while (begin.length < 2) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      first.push(value);
      begin.push(...value.subarray(0, 2));
    }
    const bytes = joined(first, pieces);
    const isPacked = begin[0] === 0x1F && begin[1] === 0x8B;
    const decoder = new TextDecoder();
    for await (const part of isPacked ? unpack(bytes) : bytes) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } finally {
    await pieces.return?.();
  }
}

/** Recovers a truncated file; `gunzip` would lose the last part with the error. */
function gunzipCut(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(packed, unpacked, () => {});
  return unpacked;
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
