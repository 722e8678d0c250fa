import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { normalizeCountry } from "../../../../base/markets/markets.ts";
import type { Profile } from "../../../../client/profile.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { ConfigurationError } from "../../../../errors.ts";
import type { CliContext } from "../context/context.ts";
import { CliError, UsageError } from "../io/cli_error.ts";
import { chosenProfile, type MarketOptions } from "./market_options.ts";
import { separated } from "./parse_values.ts";

export interface ManyProfilesOptions extends MarketOptions {
  readonly profiles?: readonly string[] | undefined;
  readonly allProfiles?: true;
  readonly except?: readonly string[] | undefined;
}

export interface Unreachable {
  /** `region EU`, or the market as typed. */
  readonly name: string;
  readonly reason: string;
}

export function isForMany({ market, profiles, allProfiles }: ManyProfilesOptions): boolean {
  return allProfiles === true || profiles !== undefined || (market?.includes(",") ?? false);
}

/**
 * Returns the chosen profiles, in the order of the login's list or of the options. A region that does not respond is
 * reported and does not stop the others.
 *
 * @throws {UsageError} for mutually exclusive options, or if no profile matches.
 * @throws {ConfigurationError} when a named market is not part of the login.
 */
export async function chosenProfiles(
  ads: PlatformAds,
  options: ManyProfilesOptions,
  context: CliContext,
): Promise<{ profiles: ProfileClient[]; unreachable: Unreachable[] }> {
  checkManyProfiles(options);
  const { accountType, accountName, market, profiles: named = market && separated(market, undefined) } =
    options;
  if (!options.allProfiles && named) {
    return await namedProfiles(ads, { accountType, accountName, named }, context);
  }
  const records = await ads.profiles({ signal: context.interruption.signal });
  const fits = (value: string | undefined, wanted: string | undefined): boolean =>
    wanted === undefined || value?.toLowerCase() === wanted.toLowerCase();
  const isNamed = ({ profileId, countryCode }: Profile, name: string): boolean =>
    name === profileId || normalizeCountry(name) === normalizeCountry(countryCode);
  const { except = [] } = options;
  const unknown = except.filter((name) => !records.some((record) => isNamed(record, name)));
  if (unknown.length > 0 && ads.regionFailures.length === 0) {
    throw new UsageError(
      `Cannot leave out ${
        unknown.join(", ")
      }: the login reaches no such profile. "adsctl auth profiles" lists them`,
    );
  }
  const chosen = records.filter((record) =>
    fits(record.accountInfo.type, accountType) && fits(record.accountInfo.name, accountName) &&
    !except.some((name) => isNamed(record, name))
  );
  return {
    profiles: chosen.map(({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode)),
    unreachable: ads.regionFailures.map(({ region, error }) => ({
      name: `region ${region}`,
      reason: error.message,
    })),
  };
}

export function checkManyProfiles({ market, profiles, allProfiles, except }: ManyProfilesOptions): void {
  if (except !== undefined && !allProfiles) {
    throw new UsageError("Cannot use --except without --all-profiles: it excludes some of those");
  }
  if (allProfiles && profiles !== undefined) {
    throw new UsageError("Cannot use --profiles with --all-profiles: choose one of them");
  }
  if (market !== undefined && (allProfiles || profiles !== undefined)) {
    throw new UsageError("Cannot use -m with --profiles or --all-profiles: choose one of them");
  }
}

async function namedProfiles(
  ads: PlatformAds,
  { accountType, accountName, named }: {
    accountType: string | undefined;
    accountName: string | undefined;
    named: readonly string[];
  },
  context: CliContext,
): Promise<{ profiles: ProfileClient[]; unreachable: Unreachable[] }> {
  const found = new Map<string, ProfileClient>();
  const unreachable: Unreachable[] = [];
  for (const market of named) {
    try {
      const narrow = {
        ...(accountType === undefined ? {} : { accountType }),
        ...(accountName === undefined ? {} : { accountName }),
      };
      const profile = await chosenProfile(ads, { ...narrow, market }, context);
      found.set(profile.profileId, profile);
    } catch (error) {
      // What was typed is wrong: nothing is begun.
      if (error instanceof ConfigurationError || error instanceof CliError || !(error instanceof Error)) {
        throw error;
      }
      context.interruption.signal.throwIfAborted();
      unreachable.push({ name: market, reason: error.message });
    }
  }
  return { profiles: [...found.values()], unreachable };
}
