import type { ProfileClient } from "../../client/profile_client.ts";
import { withAds } from "./connect.ts";
import type { CliContext } from "./context.ts";
import { chosenProfile, type MarketOptions, wantedMarket } from "../options/market_options.ts";

/**
 * Connects as the global options say, and passes the client of the profile that `-m` names to `step`.
 *
 * @throws {UsageError} before anything is sent when no market is named.
 */
export async function withProfile(
  options: MarketOptions,
  context: CliContext,
  step: (client: ProfileClient) => Promise<number>,
): Promise<number> {
  wantedMarket(options, context);
  return await withAds(context, async (ads) => await step(await chosenProfile(ads, options, context)));
}
