import { ConfigurationError } from "../../errors.ts";
import { type CountryCode, normalizeCountry } from "../../base/markets/markets.ts";
import {
  type AdvertiserAccount,
  advertiserAccounts,
  isWithinLimit,
} from "../../platform/transport/advertiser_accounts.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { lookUp } from "./check_fields.ts";
import { fieldTable } from "./field_table.ts";
import type { FieldCondition, FieldsReport } from "./fields_report.ts";

/** Field that distinguishes the marketplaces of an account. Existing clients filter it with codes such as `US`. */
const COUNTRY = "campaign.country";

type ReportScope = Pick<FieldsReport, "profiles" | "filter" | "wholeAccount">;

export interface ReportedAccounts {
  readonly ids: readonly string[];
  /** Marketplaces to which the rows are limited; absent for whole accounts. */
  readonly only?: readonly CountryCode[];
  readonly others: readonly CountryCode[];
  readonly filter: Readonly<Record<string, FieldCondition>>;
}

/**
 * Returns the accounts and marketplaces to report on. The new reports cover all marketplaces of an account, so rows
 * are filtered to those of the profiles.
 *
 * @throws {TypeError} when there are no profiles.
 * @throws {ConfigurationError} when an account is out of reach, or profiles cannot be distinguished by marketplace.
 */
export async function reportedAccounts(
  scope: ProfileScope,
  { profiles = [scope.profileId], filter = {}, wholeAccount = false }: ReportScope,
  signal: AbortSignal | undefined,
): Promise<ReportedAccounts> {
  if (profiles.length === 0) throw new TypeError("Cannot request a report of no profiles: name at least one");
  const accounts = await advertiserAccounts(scope, profiles, signal);
  const all = { ids: accounts.map(({ id }) => id), others: [], filter };
  const isWhole = wholeAccount || (await Promise.all(Object.keys(filter).map(isMarketplace))).includes(true);
  if (isWhole) {
    ensureWithinLimit(accounts, scope);
    return all;
  }
  const { own = [], others = [] } = Object.groupBy(
    accounts.flatMap((account) => [...account.profiles]),
    ([profileId]) => profiles.includes(profileId) ? "own" : "others",
  );
  if (others.length === 0) return all;
  const only = countriesOf(own, scope);
  const rest = countriesOf(others, scope);
  if (only.has(undefined) || !only.isDisjointFrom(rest)) throw inseparable(all.ids, profiles);
  const known = [...only].filter((country) => country !== undefined);
  return {
    ids: all.ids,
    only: known,
    others: [...rest].filter((country) => country !== undefined),
    filter: { ...filter, [COUNTRY]: known.flatMap((country) => country === "UK" ? ["UK", "GB"] : country) },
  };
}

/**
 * Rejects reports outside the client's profiles, because rows of whole accounts or of given marketplaces may belong to
 * any profile of the accounts.
 */
function ensureWithinLimit(accounts: readonly AdvertiserAccount[], scope: ProfileScope): void {
  const beyond = accounts.filter((account) => !isWithinLimit(account, scope));
  if (beyond.length === 0) return;
  throw new ConfigurationError(
    `Cannot report whole accounts or other marketplaces: ${
      beyond.map(({ id }) => id).join(", ")
    } has profiles beyond the ` +
      "profiles that this client is limited to. Leave out wholeAccount and conditions on the marketplace",
  );
}

export async function isMarketplace(field: string): Promise<boolean> {
  return lookUp(field, await fieldTable()).field === COUNTRY;
}

/**
 * Returns the countries of the profiles. Falls back to the scope's own profile if the account does not list a country.
 */
function countriesOf(
  profiles: readonly (readonly [profileId: string, country: string | undefined])[],
  scope: ProfileScope,
): Set<CountryCode | undefined> {
  return new Set(profiles.map(([profileId, country]) => {
    if (country !== undefined) return normalizeCountry(country);
    return profileId === scope.profileId ? scope.countryCode : undefined;
  }));
}

export function leftOutText({ only, others }: ReportedAccounts): string | undefined {
  if (only === undefined) return undefined;
  const rest = others.length === 0 ? "other marketplaces" : others.join(", ");
  return `Asked for the rows of ${
    only.join(", ")
  } alone (${COUNTRY}): the advertiser account has ${rest} too`;
}

/**
 * Returns a warning about an empty report of one marketplace, because the new reports lack some marketplaces that
 * version 3 has (observed 2026-07).
 *
 * @returns `undefined` for whole accounts.
 */
export function noRowsText({ only }: ReportedAccounts): string | undefined {
  return only === undefined
    ? undefined
    : `No rows of ${
      only.join(", ")
    }. New reports have been seen to leave out whole marketplaces of an advertiser account: look at ` +
      "old reports before you take it for no traffic";
}

function inseparable(accountIds: readonly string[], profiles: readonly string[]): Error {
  return new ConfigurationError(
    `Cannot report ${profiles.join(", ")} alone: new reports cover all profiles of the advertiser account ` +
      `${
        accountIds.join(", ")
      }, and their marketplaces do not tell them apart. Ask for one profile at a time, use old reports, ` +
      "or take the rows of the whole account (the option wholeAccount)",
  );
}
