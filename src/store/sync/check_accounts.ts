import { ConfigurationError } from "../../errors.ts";
import { normalizeCountry } from "../../base/markets/markets.ts";
import type { StoredProfile, StoreDriver } from "../model/store_driver.ts";
import type { SyncProfile } from "./sync_profile.ts";

/**
 * The store holds reports of accounts other than the one being added. Nothing was requested or changed.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { OtherAccountError, type Warehouse } from "@platform/ads/store";
 *
 * async function syncOwn(store: Warehouse, profile: ProfileClient): Promise<void> {
 *   try {
 *     await store.sync(profile);
 *   } catch (error) {
 *     if (!(error instanceof OtherAccountError)) throw error;
 *     console.error(error.message); // add it with { addAccount: true }, or use a store of its own
 *   }
 * }
 * ```
 */
export class OtherAccountError extends ConfigurationError {}

/** Options for adding profiles to a store. */
export interface AccountOptions {
  /** True to add profiles of a different login than the stored ones. @default false */
  readonly addAccount?: boolean | undefined;
}

/**
 * Checks that profiles belong to the store. Accepts an empty store, one that contains any of the profiles, or another
 * profile of the same login. If the login is unknown, a second profile of a country is rejected.
 *
 * @throws {OtherAccountError} when the profiles do not belong to the store.
 */
export async function checkAccounts(
  driver: StoreDriver,
  profiles: readonly Pick<SyncProfile, "profileId" | "countryCode" | "loginProfiles">[],
  { addAccount = false }: AccountOptions,
): Promise<void> {
  const stored = addAccount || profiles.length === 0 ? [] : await driver.profiles();
  const ids = new Set(stored.map(({ profileId }) => profileId));
  if (stored.length === 0 || profiles.some(({ profileId }) => ids.has(profileId))) return;
  const reached = await profiles[0]?.loginProfiles?.().catch(() => undefined);
  if (reached?.some(({ profileId }) => ids.has(profileId))) return;
  const countries = new Set(stored.map(({ countryCode }) => countryCode));
  const foreign = profiles.filter(({ countryCode }) =>
    reached !== undefined || countries.has(normalizeCountry(countryCode))
  );
  if (foreign.length > 0) throw refusal(driver.location, foreign, stored);
}

function refusal(
  location: string,
  profiles: readonly Pick<SyncProfile, "profileId" | "countryCode">[],
  stored: readonly StoredProfile[],
): OtherAccountError {
  const names = (list: readonly { profileId: string; countryCode: string }[]): string => {
    const shown = list.slice(0, 3).map(({ profileId, countryCode }) => `${countryCode} ${profileId}`);
    return shown.join(", ") + (list.length > 3 ? ` and ${list.length - 3} more` : "");
  };
  return new OtherAccountError(
    `Cannot add ${names(profiles)} to store "${location}": it holds another account (${
      names(stored)
    }). Name another ` +
      "store, or, if both belong in one, add it with the option addAccount",
  );
}
