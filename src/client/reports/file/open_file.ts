import { redact } from "../../../base/text/redact.ts";
import { readErrorBody } from "../../../platform/transport/error_body.ts";
import { backoff } from "../../../platform/transport/retry.ts";
import type { Transport } from "../../../platform/transport/transport.ts";

/**
 * Maximum number of attempts. Separate from `RetryPolicy`, because each attempt requests a new URL, and a rejected URL
 * is renewed once.
 */
const ATTEMPTS = 3;
const MAX_REASON = 500;

interface OfferedFile {
  readonly url: string;
  readonly renew: () => Promise<string | null | undefined>;
  readonly failure: (why: string, options?: ErrorOptions) => Error;
}

/**
 * Opens a file. Renews an expired or rejected URL once, and retries after failures of the host.
 *
 * @throws the error made by `failure`.
 */
export async function openFile(
  file: OfferedFile,
  transport: Transport,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  let { url } = file;
  let refused = false;
  for (let attempt = 1;; attempt++) {
    const address = url;
    // Whether an address has expired is for its host to say: the clock of this machine may be wrong.
    const problem = await tryAddress(address, () => fetchFile(address, transport, signal), signal);
    if ("bytes" in problem) return problem.bytes;
    if (problem.final || attempt === ATTEMPTS || (problem.refused && refused)) {
      throw file.failure(problem.why, { cause: problem.cause });
    }
    if (problem.refused) refused = true;
    else await transport.sleep(backoff(transport.retry, attempt, transport.random()), signal);
    const next = await file.renew();
    if (!next) throw file.failure(`${problem.why}, and the platform gives no other address for it`);
    url = next;
  }
}

/** A problem with fetching a file: `refused` if another URL may work, otherwise `final`. */
interface Problem {
  readonly why: string;
  readonly refused?: boolean;
  readonly final?: boolean;
  readonly cause?: unknown;
}

async function tryAddress(
  url: string,
  fetchIt: () => Promise<FetchedFile>,
  signal: AbortSignal | undefined,
): Promise<FetchedFile | Problem> {
  if (!/^https?:\/\//i.test(url)) return { why: "the address of its file is not a web address", final: true };
  try {
    const file = await fetchIt();
    if (file.status === 200) return file;
    const why = `its file host responds with ${file.status}${file.said}`;
    return { why, refused: file.status < 500 && file.status !== 429 };
  } catch (cause) {
    signal?.throwIfAborted();
    return { why: `its file host does not respond (${(cause as Error).message})`, cause };
  }
}

interface FetchedFile {
  readonly status: number;
  readonly said: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Fetches a file without the platform's headers, because the file host rejects them. Times out when idle, never
 * follows redirects, and requires TLS except for localhost.
 *
 * @throws {TypeError} when the URL has no TLS; nothing is sent.
 * @throws the error of `fetch`, a `TimeoutError` or the signal's reason, also while reading.
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
    const said = response.ok ? "" : await reasonOf(response, silence);
    return {
      status: response.status,
      said,
      bytes: response.ok ? bytesOf(response.body, silence) : nothing(),
    };
  } catch (error) {
    throw silence.reason ?? error;
  } finally {
    silence.rest();
  }
}

/** @throws {TypeError} for an address without TLS, except on this machine. */
export function refuseOpenAddress(url: string): void {
  const { protocol, hostname, host } = new URL(url);
  const isHere = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || protocol === "http:" && isHere) return;
  throw new TypeError(
    `Cannot exchange a file with ${protocol}//${host}: only https is used, and http on this machine alone`,
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

async function reasonOf({ body }: Response, silence: Silence): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of bytesOf(body, silence)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_REASON) break;
    }
  } catch {
    // The status is enough.
  }
  const { code, message } = readErrorBody(text.slice(0, MAX_REASON));
  const words = redact([code, message].filter((part) => part).join(": "));
  return words === "" ? "" : `: ${words}`;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

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

  get signal(): AbortSignal {
    return this.#caller === undefined
      ? this.#limit.signal
      : AbortSignal.any([this.#limit.signal, this.#caller]);
  }

  get reason(): unknown {
    return this.#caller?.aborted
      ? this.#caller.reason
      : this.#limit.signal.aborted
      ? this.#limit.signal.reason
      : undefined;
  }

  watch(): void {
    this.rest();
    const late = (): void =>
      this.#limit.abort(new DOMException(`no byte came for ${this.#seconds} s`, "TimeoutError"));
    this.#timer = setTimeout(late, this.#seconds * 1000);
  }

  rest(): void {
    clearTimeout(this.#timer);
  }
}
