import type { ProfileScope, RequestOptions } from "../../platform/transport/profile_scope.ts";

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

/** The same scope of a profile, with a limit on concurrent requests. Waits between requests take no turn. */
export function limitedScope(scope: ProfileScope, limiter: Limiter): ProfileScope {
  return {
    profileId: scope.profileId,
    countryCode: scope.countryCode,
    timeZone: scope.timeZone,
    transport: scope.transport,
    wireOf: scope.wireOf,
    wireIds: scope.wireIds,
    provenIds: scope.provenIds,
    request: (method: string, path: string, options?: RequestOptions): Promise<unknown> =>
      limiter.run(() => scope.request(method, path, options)),
  };
}
