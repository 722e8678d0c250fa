import type { ProfileScope, RequestOptions } from "../../transport/profile_scope.ts";
import type { Limiter } from "./limiter.ts";

/** The same scope of a profile, with a limit on concurrent requests. Waits between requests take no turn. */
export function limitedScope(scope: ProfileScope, limiter: Limiter): ProfileScope {
  return {
    profileId: scope.profileId,
    countryCode: scope.countryCode,
    transport: scope.transport,
    request: (method: string, path: string, options?: RequestOptions): Promise<unknown> =>
      limiter.run(() => scope.request(method, path, options)),
  };
}
