import { marketKey, normalizeCountry } from "../../../../base/markets/markets.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { SeveralProfilesError } from "../../../../client/profile.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { CliContext } from "../context/context.ts";

export interface MarketOptions {
  readonly market?: string;
  readonly accountType?: string;
  readonly accountName?: string;
}

export function wantedMarket(options: MarketOptions, { io }: Pick<CliContext, "io">): string {
  const market = options.market ?? io.env["PLATFORM_ADS_MARKET"];
  if (!market) {
    throw new UsageError(
      'Cannot choose a profile: add -m with a country code or profile id, or save one with "adsctl use". "adsctl auth profiles" lists them',
    );
  }
  return market;
}

export function countryOfMarket(
  { market }: MarketOptions,
  { io }: Pick<CliContext, "io">,
): string | undefined {
  const named = market ?? io.env["PLATFORM_ADS_MARKET"];
  return named === undefined || /\d/.test(named) ? undefined : normalizeCountry(named);
}

export async function chosenProfile(
  ads: PlatformAds,
  options: MarketOptions,
  context: CliContext,
): Promise<ProfileClient> {
  const { accountType, accountName } = options;
  const { signal } = context.interruption;
  const market = wantedMarket(options, context);
  try {
    return await ads.profile(market, { accountType, accountName, signal });
  } catch (error) {
    throw error instanceof SeveralProfilesError ? offer(error, market) : error;
  }
}

function offer({ candidates }: SeveralProfilesError, market: string): UsageError {
  const width = Math.max(...candidates.map(({ profileId }) => profileId.length));
  const offers = candidates.map(({ profileId, accountInfo: { name, type } }) =>
    `  -m ${profileId.padEnd(width)}  ${[name, type].filter((text) => text).join(", ")}`
  );
  return new UsageError(
    `Cannot choose a profile for market "${market}": it has ${candidates.length}. Name one of them:\n${
      offers.join("\n")
    }`,
  );
}

export function isOfMarkets(
  named: readonly string[] | undefined,
): (row: { readonly countryCode: string; readonly profileId?: string | undefined }) => boolean {
  const wanted = new Set(named?.map(marketKey));
  return ({ countryCode, profileId }) =>
    named === undefined || wanted.has(normalizeCountry(countryCode)) ||
    (profileId !== undefined && wanted.has(profileId));
}
