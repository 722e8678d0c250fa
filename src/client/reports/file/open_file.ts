import { redact } from "../../../base/text/redact.ts";
import { readErrorBody } from "../../../platform/transport/error_body.ts";
import { backoff } from "../../../platform/transport/retry_policy.ts";
import type { Transport } from "../../../platform/transport/transport.ts";

/**
 * Times that a file is tried. Not the loop of `RetryPolicy`: between two tries a new address is requested, and a refusal
 * is retried once with it.
 */
const ATTEMPTS = 3;
/** Characters of an error of the file host that are read. */
const MAX_REASON = 500;

/** A file of the platform at a pre-signed address. */
interface OfferedFile {
  /** Present address. */
  readonly url: string;
  /** Asks the platform for another address. */
  readonly renew: () => Promise<string | null | undefined>;
  /** Makes the error of a file that is not to be had. */
  readonly failure: (why: string, options?: ErrorOptions) => Error;
}

/**
 * Opens a file. An address that has expired or is refused is asked for once more; a file host that fails is tried again
 * after a while.
 *
 * @throws what `failure` makes when there is no file to be had.
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

/** Why there is no file: `refused` when another address may do, `final` when nothing will. */
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

/** The response of a file host. */
interface FetchedFile {
  readonly status: number;
  /** Reason that the host gives, for an error. */
  readonly said: string;
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

/** The reason that a file host gives for an error, as a part of a sentence. */
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
