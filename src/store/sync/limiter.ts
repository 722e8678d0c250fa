import { ThrottledError } from "../../errors.ts";
import { CLIENT_PAUSE } from "../../platform/transport/pacer/lane.ts";
import type { ProfileScope, RequestOptions } from "../../platform/transport/profile_scope.ts";
import { retry } from "../../platform/transport/retry.ts";

/** FIFO concurrency limiter. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param limit How many at the same time. */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs the work when it is its turn. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/**
 * The same scope of a profile, with a limit on concurrent requests. Waits between requests take no turn, nor do pauses of
 * a profile: the requests of others take turns meanwhile.
 */
export function limitedScope(scope: ProfileScope, limiter: Limiter): ProfileScope {
  const { transport } = scope;
  return {
    profileId: scope.profileId,
    countryCode: scope.countryCode,
    timeZone: scope.timeZone,
    transport,
    wireOf: scope.wireOf,
    wireIds: scope.wireIds,
    provenIds: scope.provenIds,
    request: (method: string, path: string, options: RequestOptions = {}): Promise<unknown> => {
      const { retry: policy, sleep, random } = transport;
      return retry({ policy, sleep, random, signal: options.signal }, async () => {
        try {
          const maxWait = Math.min(options.maxWait ?? Infinity, CLIENT_PAUSE);
          return { value: await limiter.run(() => scope.request(method, path, { ...options, maxWait })) };
        } catch (failed) {
          const isPaused = failed instanceof ThrottledError && options.retryThrottled !== false;
          return { failed: failed as Error, next: isPaused ? { after: failed.retryAfter } : "never" };
        }
      });
    },
  };
}
