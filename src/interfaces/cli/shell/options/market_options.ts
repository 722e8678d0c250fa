import { marketKey, normalizeCountry } from "../../../../base/markets/markets.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { SeveralProfilesError } from "../../../../client/profile.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { CliContext } from "../context/context.ts";
import { UsageError } from "../io/cli_error.ts";
import { separated } from "./parse_values.ts";
import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";

export function marketOption(): Option<"-m, --market <market>"> {
  return new Option("-m, --market <market>", "country code or profile id; otherwise PLATFORM_ADS_MARKET");
}

export function accountTypeOption(): Option<"--account-type <type>"> {
  return new Option("--account-type <type>", "if a market has several profiles: seller, vendor or agency");
}

export function accountNameOption(): Option<"--account-name <name>"> {
  return new Option("--account-name <name>", "if a market has several profiles: the advertiser's name");
}

export function profilesOption(
  effect: string,
): Option<"--profiles <names>", undefined, undefined, string[] | undefined> {
  return new Option("--profiles <names>", `country codes or profile ids: ${effect}`).argParser(separated);
}

export function allProfilesOption(effect: string): Option<"--all-profiles"> {
  return new Option("--all-profiles", `every profile of the login: ${effect}`);
}

export function exceptOption(): Option<"--except <names>", undefined, undefined, string[] | undefined> {
  return new Option("--except <names>", "country codes or profile ids to exclude from --all-profiles")
    .argParser(
      separated,
    );
}

export function onlyMarketsOption(
  what: string,
): Option<"-m, --market <markets>", undefined, undefined, string[] | undefined> {
  return new Option("-m, --market <markets>", `only ${what} of these country codes or profile ids`).argParser(
    separated,
  );
}

export function addProfileOptions(command: CommandUnknownOpts): CommandUnknownOpts {
  return command.addOption(marketOption()).addOption(accountTypeOption()).addOption(accountNameOption());
}

export function addProfilesOptions(command: CommandUnknownOpts, effect: string): CommandUnknownOpts {
  return command
    .addOption(marketOption())
    .addOption(profilesOption(effect))
    .addOption(allProfilesOption(effect))
    .addOption(exceptOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption());
}

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
