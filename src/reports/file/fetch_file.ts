import type { Transport } from "../../transport/transport.ts";

/** The response of a file host. */
export interface FetchedFile {
  readonly status: number;
  /** The file's bytes as they come. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Fetches a report file from its pre-signed address, with none of the platform's headers: the file host refuses
 * them. Given up when no byte comes for the client's time limit. Redirects are not followed, and without TLS only this
 * machine is asked.
 *
 * @throws {TypeError} for an address without TLS on another machine. Nothing was sent.
 * @throws what `fetch` throws, a `TimeoutError`, or the signal's reason; also while the bytes are read.
 */
export async function fetchFile(
  url: string,
  world: Pick<Transport, "fetch" | "timeout">,
  signal: AbortSignal | undefined,
): Promise<FetchedFile> {
  signal?.throwIfAborted();
  refuseOpenAddress(url);
  const silence = new Silence(world.timeout, signal);
  try {
    const response = await world.fetch(url, { signal: silence.signal, redirect: "manual" });
    if (!response.ok) await response.body?.cancel();
    return { status: response.status, bytes: response.ok ? bytesOf(response.body, silence) : nothing() };
  } catch (error) {
    throw silence.reason ?? error;
  } finally {
    silence.rest();
  }
}

function refuseOpenAddress(url: string): void {
  const { protocol, hostname, host } = new URL(url);
  const isHere = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || protocol === "http:" && isHere) return;
  throw new TypeError(
    `Cannot fetch a file from ${protocol}//${host}: only https is used, and http on this machine alone`,
  );
}

async function* bytesOf(
  body: ReadableStream<Uint8Array> | null,
  silence: Silence,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      silence.watch();
      const { done, value } = await reader.read();
      silence.rest();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw silence.reason ?? error;
  } finally {
    silence.rest();
    reader.cancel().catch(() => {});
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Ends a request when it is silent for too long, or when the caller says so. */
class Silence {
  readonly #limit = new AbortController();
  readonly #seconds: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(seconds: number, caller: AbortSignal | undefined) {
    this.#seconds = seconds;
    this.#caller = caller;
    this.watch();
  }

  /** For `fetch`. */
  get signal(): AbortSignal {
    return this.#caller === undefined
      ? this.#limit.signal
      : AbortSignal.any([this.#limit.signal, this.#caller]);
  }

  /** Why it was ended; `undefined` when it was not. */
  get reason(): unknown {
    return this.#caller?.aborted
      ? this.#caller.reason
      : this.#limit.signal.aborted
      ? this.#limit.signal.reason
      : undefined;
  }

  /** Begins to wait for something to come. */
  watch(): void {
    this.rest();
    const late = (): void =>
      this.#limit.abort(new DOMException(`no byte came for ${this.#seconds} s`, "TimeoutError"));
    this.#timer = setTimeout(late, this.#seconds * 1000);
  }

  /** Stops waiting. */
  rest(): void {
    clearTimeout(this.#timer);
  }
}
