import type { RequestOptions, Transport } from "../../mod.ts";
import type { ProfileScope } from "../../src/platform/transport/mod.ts";
import { DEFAULT_RETRY } from "../../src/platform/transport/retry.ts";

/** One request that a resource made. */
export interface ScopeRequest extends RequestOptions {
  readonly method: string;
  readonly path: string;
}

/** A profile whose answers a function gives, without HTTP. */
export interface FakeScope extends ProfileScope {
  /** Every request, in order. */
  readonly requests: ScopeRequest[];
}

/** Makes a profile that answers by a function. */
export function fakeScope(
  answer: (request: ScopeRequest, turn: number) => unknown,
  parts: { now?: () => number } = {},
): FakeScope {
  const requests: ScopeRequest[] = [];
  const transport = {
    retry: DEFAULT_RETRY,
    random: () => 0.5,
    clean: (text: string) => text,
    sleep: () => Promise.resolve(),
    now: parts.now ?? (() => Date.parse("2026-09-30T12:00:00Z")),
  } as unknown as Transport;
  return {
    profileId: "1",
    countryCode: "US",
    transport,
    requests,
    request: async (method, path, options = {}) => {
      const request = { method, path, ...options };
      return await answer(request, requests.push(request));
    },
  };
}
