import { ThrottledError } from "../../errors.ts";
import { refusesProfile } from "../../platform/transport/error_body.ts";
import { CLIENT_PAUSE } from "../../platform/transport/pacer/lane.ts";
import type { ProfileScope, RequestOptions } from "../../platform/transport/profile_scope.ts";
import { retry } from "../../platform/transport/retry.ts";

export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

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
 * Waits and pauses do not count against the limit. Once the platform has rejected the profile itself, later requests
 * fail without being sent.
 */
export function limitedScope(scope: ProfileScope, limiter: Limiter): ProfileScope {
  const { transport } = scope;
  let refusal: Error | undefined;
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
          return {
            value: await limiter.run(() => {
              if (refusal !== undefined) throw refusal;
              return scope.request(method, path, { ...options, maxWait });
            }),
          };
        } catch (error) {
          if (refusesProfile(error)) refusal ??= error as Error;
          const failed = refusesProfile(error) ? refusal : error;
          const isPaused = failed instanceof ThrottledError && options.retryThrottled !== false;
          return { failed: failed as Error, next: isPaused ? { after: failed.retryAfter } : "never" };
        }
      });
    },
  };
}
