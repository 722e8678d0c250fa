import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { importedAccount } from "../../../../account/imports/imported_account.ts";
import { normalizeCountry } from "../../../../base/markets/markets.ts";
import type { CliContext } from "../context/context.ts";
import { UsageError } from "../io/cli_error.ts";
import { wantedMarket } from "../options/market_options.ts";
import { openStore } from "./open_store.ts";
import type { StoreOptions } from "../options/store_option.ts";
import { connectImported } from "./connect.ts";

/**
 * Connects to an emulator that stands in for the account, so that nothing can be sent.
 *
 * @param options.isEmptyAllowed True if figures without a bulk sheet are enough.
 * @default false
 */
export async function connectStoredFiles(
  options: StoreOptions & { readonly market?: string; readonly isEmptyAllowed?: boolean },
  context: CliContext,
): Promise<{ readonly ads: PlatformAds; readonly profile: ProfileClient }> {
  const market = wantedMarket(options, context);
  const store = await openStore(options, context);
  const own = (await store.profiles()).filter(({ profileId, countryCode }) =>
    profileId === market || countryCode === normalizeCountry(market)
  );
  const [only] = own;
  if (only === undefined || own.length > 1) {
    const ids = own.map(({ profileId }) => profileId).join(", ");
    throw new UsageError(
      only === undefined
        ? `Cannot find ${market} in ${store.location}: no file of it is imported`
        : `Cannot choose a profile of ${market}: name one of ${ids} with -m`,
    );
  }
  const { copy } = await importedAccount(store, only.profileId, { isEmptyAllowed: options.isEmptyAllowed });
  const ads = await connectImported(context, { copy, store });
  return { ads, profile: await ads.profile(only.profileId) };
}
