import { idOf } from "../../base/json/id_of.ts";
import { ConfigurationError } from "../../errors.ts";
import { PageTokens } from "./page_tokens.ts";
import { WITHIN_LIMIT } from "./api_request.ts";
import type { ProfileScope } from "./profile_scope.ts";

export const ACCOUNT_HEADER = "Platform-Ads-AccountId";

const PATH = "/adsApi/v1/query/advertiserAccounts";
/** Global accounts are listed without a filter, all others with one. */
const QUERIES = [{}, { isGlobalAccountFilter: { include: [false] } }];

export interface AdvertiserAccount {
  readonly id: string;
  readonly isGlobal: boolean;
  readonly profiles: ReadonlyMap<string, string | undefined>;
}

const KNOWN = new WeakMap<ProfileScope["transport"], ReadonlyMap<string, AdvertiserAccount>>();

/**
 * Cached per client.
 *
 * @throws {ConfigurationError} when the login cannot access the profile's account.
 */
export async function advertiserAccounts(
  scope: ProfileScope,
  profileIds: readonly string[],
  signal?: AbortSignal,
): Promise<AdvertiserAccount[]> {
  const all = await accountsOf(scope, profileIds, signal);
  const beyond = profileIds.filter((id) => scope.limit?.has(id, all.get(id)?.profiles.get(id)) === false);
  if (beyond.length > 0) {
    throw new ConfigurationError(
      `Cannot use ${beyond.join(", ")}: beyond the profiles that this client is limited to`,
    );
  }
  const accounts = profileIds.map((profileId) => {
    const account = all.get(profileId);
    if (account !== undefined) return account;
    throw new ConfigurationError(
      `Cannot find the account of profile ${profileId}: the login reaches no advertiser account with it in this region. ` +
        "Name profiles of one region; old reports need no account",
    );
  });
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}

export async function accountById(
  scope: ProfileScope,
  accountId: string,
  signal?: AbortSignal,
): Promise<AdvertiserAccount | undefined> {
  const all = await accountsOf(scope, [scope.profileId], signal);
  return [...all.values()].find(({ id }) => id === accountId);
}

export async function globalAccountId(scope: ProfileScope, signal?: AbortSignal): Promise<string> {
  return (await globalAccount(scope, signal)).id;
}

export async function globalAccountProfiles(
  scope: ProfileScope,
  signal?: AbortSignal,
): Promise<readonly (readonly [profileId: string, country: string | undefined])[]> {
  return [...(await globalAccount(scope, signal)).profiles];
}

export function isWithinLimit({ profiles }: AdvertiserAccount, { limit }: ProfileScope): boolean {
  return limit === undefined ||
    [...profiles].every(([profileId, country]) => limit.has(profileId, country));
}

async function globalAccount(
  scope: ProfileScope,
  signal: AbortSignal | undefined,
): Promise<AdvertiserAccount> {
  const { profileId, countryCode } = scope;
  const account = (await accountsOf(scope, [profileId], signal)).get(profileId);
  if (account?.isGlobal) {
    if (isWithinLimit(account, scope)) return account;
    throw new ConfigurationError(
      `Cannot use global campaigns of profile ${profileId} (${countryCode}): its account has profiles beyond those that ` +
        "this client is limited to. Use the campaigns of the profile itself",
    );
  }
  const why = account === undefined
    ? "the login reaches no advertiser account with it"
    : `its advertiser account ${account.id} is not a global one`;
  throw new ConfigurationError(
    `Cannot use global campaigns of profile ${profileId} (${countryCode}): ${why}. ` +
      "Use a profile of a global account, or the campaigns of each profile",
  );
}

async function accountsOf(
  scope: ProfileScope,
  profileIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, AdvertiserAccount>> {
  const known = KNOWN.get(scope.transport) ?? new Map<string, AdvertiserAccount>();
  if (profileIds.every((id) => known.has(id))) return known;
  // Each region lists its own.
  const all = new Map([...known, ...await readAccounts(scope, signal)]);
  KNOWN.set(scope.transport, all);
  return all;
}

async function readAccounts(
  scope: ProfileScope,
  signal: AbortSignal | undefined,
): Promise<Map<string, AdvertiserAccount>> {
  const found = new Map<string, AdvertiserAccount>();
  for (const query of QUERIES) {
    const tokens = new PageTokens("list advertiser accounts");
    let nextToken: string | undefined;
    do {
      const json = nextToken === undefined ? query : { ...query, nextToken };
      const response = await scope.request("POST", PATH, {
        json,
        idempotent: true,
        scoped: false,
        withinLimit: WITHIN_LIMIT,
        signal,
      }) as
        | {
          advertiserAccounts?: {
            advertiserAccountId?: unknown;
            isGlobalAccount?: unknown;
            alternateIds?: { profileId?: unknown; countryCode?: unknown }[];
          }[];
          nextToken?: unknown;
        }
        | undefined;
      for (const account of response?.advertiserAccounts ?? []) {
        const { advertiserAccountId: id, isGlobalAccount: isGlobal = query === QUERIES[0], alternateIds } =
          account;
        if (typeof id !== "string") continue;
        // Other ids, such as those of DSP advertisers, stand beside those of profiles.
        const profiles = new Map(
          (alternateIds ?? []).flatMap((other) => {
            const { countryCode } = other;
            const profileId = idOf(other, "profileId");
            return profileId === undefined
              ? []
              : [[profileId, typeof countryCode === "string" ? countryCode : undefined]];
          }),
        );
        const known = { id, isGlobal: isGlobal === true, profiles };
        for (const profileId of profiles.keys()) found.set(profileId, known);
      }
      nextToken = tokens.next(response?.nextToken, response?.advertiserAccounts ?? []);
    } while (nextToken !== undefined);
  }
  return found;
}
