import { Option } from "@commander-js/extra-typings";
import type { PlatformAds } from "../../client/platform_ads.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { UsageError } from "../core/cli_error.ts";
import type { CliContext } from "../core/context.ts";

/** The options that choose a profile. */
export interface MarketOptions {
  /** Country code or profile id. */
  readonly market?: string;
  /** Kind of account. */
  readonly accountType?: string;
  /** Name of the account. */
  readonly accountName?: string;
}

/** `-m, --market`. */
export function marketOption(): Option<"-m, --market <market>"> {
  return new Option("-m, --market <market>", "country code or profile id; otherwise PLATFORM_ADS_MARKET");
}

/** `--account-type`. */
export function accountTypeOption(): Option<"--account-type <type>"> {
  return new Option("--account-type <type>", "where a market has several profiles: seller, vendor or agency");
}

/** `--account-name`. */
export function accountNameOption(): Option<"--account-name <name>"> {
  return new Option("--account-name <name>", "where a market has several profiles: the advertiser's name");
}

/**
 * The market that was asked for.
 *
 * @throws {UsageError} when none was.
 */
export function wantedMarket(options: MarketOptions, { io }: Pick<CliContext, "io">): string {
  const market = options.market ?? io.env["PLATFORM_ADS_MARKET"];
  if (!market) {
    throw new UsageError(
      'Cannot choose a profile: give -m with a country code or profile id. "adsctl profiles" lists them',
    );
  }
  return market;
}

/**
 * The profile that the options mean.
 *
 * @throws {ConfigurationError} that lists the candidates when none, or more than one, matches.
 */
export function chosenProfile(
  ads: PlatformAds,
  options: MarketOptions,
  context: CliContext,
): Promise<ProfileClient> {
  return ads.profile(wantedMarket(options, context), {
    accountType: options.accountType,
    accountName: options.accountName,
    signal: context.interruption.signal,
  });
}
