import { ConfigurationError, PlatformAdsError } from "../../errors.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";

const PATH = "/adsApi/v1/query/advertiserAccounts";
/** Global accounts are listed without a filter, the others with one. */
const QUERIES = [{}, { isGlobalAccountFilter: { include: [false] } }];
const MAX_PAGES = 1000;

const KNOWN = new WeakMap<ProfileScope["transport"], ReadonlyMap<string, string>>();

/**
 * The ids of the advertiser accounts behind profiles, which reporting 1 and labels ask for in place of profiles. Remembered
 * for a client.
 *
 * @throws {ConfigurationError} for a profile whose account the login does not reach.
 */
export async function advertiserAccountIds(
  scope: ProfileScope,
  profileIds: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const known = KNOWN.get(scope.transport) ?? new Map<string, string>();
  // Each region lists its own.
  const all = profileIds.every((id) => known.has(id))
    ? known
    : new Map([...known, ...await readAccounts(scope, signal)]);
  KNOWN.set(scope.transport, all);
  const ids = profileIds.map((profileId) => {
    const id = all.get(profileId);
    if (id !== undefined) return id;
    throw new ConfigurationError(
      `Cannot find the account of profile ${profileId}: the login reaches no advertiser account with it in this region. ` +
        "Name profiles of one region; reports of version 3 need no account",
    );
  });
  return [...new Set(ids)];
}

/** Every account, by the ids of its profiles. */
async function readAccounts(scope: ProfileScope, signal?: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const query of QUERIES) {
    let nextToken: unknown;
    for (let page = 0;; page++) {
      if (page === MAX_PAGES) {
        throw new PlatformAdsError(
          `Cannot list advertiser accounts: the platform gives more than ${MAX_PAGES} pages`,
        );
      }
      const json = nextToken === undefined ? query : { ...query, nextToken };
      const response = await scope.request("POST", PATH, { json, idempotent: true, scoped: false, signal }) as
        | {
          advertiserAccounts?: { advertiserAccountId?: unknown; alternateIds?: { profileId?: unknown }[] }[];
          nextToken?: unknown;
        }
        | undefined;
      for (const { advertiserAccountId, alternateIds } of response?.advertiserAccounts ?? []) {
        if (typeof advertiserAccountId !== "string") continue;
        for (const { profileId } of alternateIds ?? []) found.set(String(profileId), advertiserAccountId);
      }
      nextToken = response?.nextToken;
      if (typeof nextToken !== "string" || nextToken === "") break;
    }
  }
  return found;
}
