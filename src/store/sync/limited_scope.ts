import type { ProfileScope, RequestOptions } from "../../transport/profile_scope.ts";
import type { Limiter } from "./limiter.ts";

/** The same way to a profile, but with so many requests at the same time. Waits between requests take no turn. */
export function limitedScope(scope: ProfileScope, limiter: Limiter): ProfileScope {
  return {
    profileId: scope.profileId,
    countryCode: scope.countryCode,
    transport: scope.transport,
    request: (method: string, path: string, options?: RequestOptions): Promise<unknown> =>
      limiter.run(() => scope.request(method, path, options)),
  };
}
