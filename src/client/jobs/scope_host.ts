import { formatPath } from "../../platform/catalog/path_segment.ts";
import type { ProfileScope, RequestOptions } from "../../platform/transport/profile_scope.ts";
import type { JobSender } from "./job_host.ts";

/** Route of an operation, used for jobs of the typed client instead of the catalog. */
export interface JobRoute extends RequestOptions {
  readonly method: string;
  /** Path with placeholders. */
  readonly path: string;
}

/** Sends requests about the jobs of a profile, without the catalog. */
export function scopeHost(
  scope: ProfileScope,
  { routes, failure }: {
    /** Routes by operation; none of the operations has pages. */
    readonly routes: Readonly<Record<string, JobRoute>>;
    readonly failure: NonNullable<JobSender["failure"]>;
  },
): JobSender {
  const send: JobSender["send"] = async (operation, { pathParams = {}, body, ...call }) => {
    const { method, path, ...options } = routes[operation]!;
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
    const filled = formatPath({ id: operation, path, pathParams: names }, pathParams);
    const { signal, idempotent, beforeAttempt, retryThrottled } = call;
    return await scope.request(method, filled, {
      ...options,
      json: body,
      signal,
      idempotent,
      beforeAttempt,
      retryThrottled,
    });
  };
  return {
    transport: scope.transport,
    send,
    pages: async function* (operation, call) {
      yield await send(operation, call);
    },
    failure,
  };
}
