import { backoff } from "../../transport/retry_policy.ts";
import type { Transport } from "../../transport/transport.ts";
import { type FetchedFile, fetchFile } from "./fetch_file.ts";

/**
 * Times that a file is tried. Not the loop of `RetryPolicy`: between two tries a new address is requested, and a refusal
 * is retried once with it.
 */
const ATTEMPTS = 3;

/** A file of the platform at a pre-signed address. */
export interface OfferedFile {
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
    const why = `its file host responds with ${file.status}`;
    return { why, refused: file.status < 500 && file.status !== 429 };
  } catch (cause) {
    signal?.throwIfAborted();
    return { why: `its file host does not respond (${(cause as Error).message})`, cause };
  }
}
