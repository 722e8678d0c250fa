import { ApiError } from "../../errors.ts";
import { Poller, type PollOptions } from "./poller.ts";

const DUPLICATE = 425;
/** Times that a request is refused as a duplicate of a failed job before it is given up. */
const MAX_FAILED = 5;

/** A job or report that is being built. */
export interface Created {
  readonly id: string;
  /** True if an equal one was already being built and is used instead. */
  readonly adopted: boolean;
}

/** A request that the platform refuses while an equal one is being built, and what is known of the other. */
export interface Creation<Other> {
  /** Sends the request and returns the id. */
  readonly request: () => Promise<string>;
  /** Finds the id of the other where the refusal does not name it. */
  readonly find?: () => Promise<string | undefined>;
  /** Requests the status of the other. */
  readonly look: (id: string) => Promise<Other>;
  /** Use of the other: it is taken, waited out, or counted as failed. */
  readonly useOf: (other: Other) => "taken" | "waited" | "failed";
  /** The error of one that failed again and again. */
  readonly failure: (other: Other, why: string) => Error;
}

/**
 * Requests a job or report. Where the platform refuses to build one twice at the same time, the other is taken if it is the
 * same, and waited out if it is not, is not found, or has failed.
 *
 * @throws {ApiError} if the platform refuses, also after `timeout`; `failure` if it names a failed one again and again.
 */
export async function createOnce<Other extends { readonly status: string }>(
  { request, find, look, useOf, failure }: Creation<Other>,
  world: ConstructorParameters<typeof Poller>[0],
  options: PollOptions,
): Promise<Created> {
  const poller = new Poller(world, options);
  for (let failed = 0;;) {
    try {
      return { id: await request(), adopted: false };
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== DUPLICATE) throw error;
      const named = /duplicate of\s*:?\s*([\w-]+)/i.exec(error.body)?.[1];
      const id = named ?? await find?.();
      const other = id === undefined ? undefined : await known(() => look(id));
      const use = other === undefined ? "waited" : useOf(other);
      if (id !== undefined && use === "taken") return { id, adopted: true };
      if (other !== undefined && use === "failed" && ++failed >= MAX_FAILED) {
        throw failure(
          other,
          `it is ${other.status}, and the platform treats a new request as its duplicate. Request it again later`,
        );
      }
      if (!await poller.wait()) throw error;
    }
  }
}

/** A status; `undefined` if the platform refuses to tell it. */
async function known<Status>(look: () => Promise<Status>): Promise<Status | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return undefined;
    throw error;
  }
}
