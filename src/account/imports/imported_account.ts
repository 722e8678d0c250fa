import { ConfigurationError } from "../../errors.ts";
import type { AccountCopy, ProfileCopy } from "../../emulator/state/account_copy.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** An account as described by files: a copy for an emulator, and its entities. */
export interface ImportedAccount {
  /** Account for `Emulator.start({ account })`. */
  readonly copy: AccountCopy;
  /** Entities of the account by kind, as listed in the bulk sheets. */
  readonly entities: ReadonlyMap<ResourceKind, readonly EntityFields[]>;
}

/**
 * Builds an account from the bulk sheets in a store, to run in an emulator: plans can be made as on the real account,
 * but not sent to it.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { PlatformAds } from "@platform/ads";
 * import { importedAccount, planNegatives, sheetOfPlan } from "@platform/ads/account";
 * import { Emulator } from "@platform/ads/emulator";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function negatives(profileId: string): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const account = await importedAccount(store, profileId);
 *   const emulator = await Emulator.start({ account: account.copy });
 *   const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
 *   const { plan } = await planNegatives(await ads.profile(profileId), { store, sync: false, today: "2026-11-01" });
 *   await writeFile("negatives.xlsx", sheetOfPlan(plan, account.entities).bytes);
 *   await emulator.stop();
 * }
 * ```
 * @param options.isEmptyAllowed True to allow an account without a bulk sheet, which has no entities. @default false
 * @throws {ConfigurationError} when no bulk sheet of the profile is stored.
 */
export async function importedAccount(
  store: Warehouse,
  profileId: string,
  { isEmptyAllowed = false }: { readonly isEmptyAllowed?: boolean | undefined } = {},
): Promise<ImportedAccount> {
  const profile = (await store.profiles()).find((one) => one.profileId === profileId);
  const entities = await store.entities(profileId);
  const count = [...entities.values()].reduce((sum, own) => sum + own.length, 0);
  const market = marketOf(profile?.countryCode ?? "");
  if (profile === undefined || market === undefined || (count === 0 && !isEmptyAllowed)) {
    throw new ConfigurationError(
      `Cannot plan from files: the store ${store.location} has no bulk sheet of ${
        profile?.countryCode ?? `profile ${profileId}`
      }, so that bids, states and ids are not known. Download one in the console and add it with importFiles()`,
    );
  }
  const { countryCode } = profile;
  const copy = {
    region: market.region,
    record: {
      profileId,
      countryCode,
      currencyCode: market.currency,
      dailyBudget: 999_999_999,
      timezone: market.timeZone,
      accountInfo: {
        marketplaceStringId: "",
        id: profileId,
        type: "seller",
        name: "Files",
        validPaymentMethod: true,
      },
    },
    collections: Object.fromEntries(entities),
  } as unknown as ProfileCopy;
  return { copy: { takenAt: new Date(0).toISOString(), profiles: [copy] }, entities };
}
