import type { Region } from "../../../base/markets/markets.ts";
import type { IdSource } from "../../state/demo_account.ts";
import type { PlacedProfile } from "../../state/profile_record.ts";

type Row = readonly [
  region: Region,
  country: string,
  currency: string,
  timezone: string,
  account: { readonly type: string; readonly name: string; readonly subType?: string },
];

const NO_LIMIT = 999_999_999;

const ROWS: readonly Row[] = [
  ["NA", "US", "USD", "America/Los_Angeles", { type: "seller", name: "Fernpfad Outdoor" }],
  ["NA", "CA", "CAD", "America/Los_Angeles", { type: "seller", name: "Maple & Main Kitchen" }],
  ["NA", "MX", "MXN", "America/Los_Angeles", { type: "vendor", name: "Casa Jacarandá" }],
  ["EU", "UK", "GBP", "Europe/London", { type: "vendor", subType: "KDP_AUTHOR", name: "Imogen Marsh" }],
  ["EU", "DE", "EUR", "Europe/Paris", { type: "seller", name: "Küchenglück Müller" }],
  ["EU", "DE", "EUR", "Europe/Paris", { type: "vendor", name: "Gartenzwerg & Söhne GmbH" }],
  ["FE", "JP", "JPY", "Asia/Tokyo", { type: "vendor", name: "みどり茶房" }],
  ["FE", "AU", "AUD", "Australia/Sydney", { type: "seller", name: "Billabong Pets" }],
];

const GLOBAL = [0, 4, 7];

/**
 * Eight profiles in three regions. Two are in Germany, and the one in the United Kingdom belongs to an author. One
 * profile per region belongs to a global account. Further profiles repeat these with numbered names.
 */
export function demoProfiles(ids: IdSource, count: number = ROWS.length): PlacedProfile[] {
  return demoRows(count).map(([region, countryCode, currencyCode, timezone, account], index) => ({
    region,
    ...(GLOBAL.includes(index) ? { account: ids.at(GLOBAL[0]! + 1) } : {}),
    record: {
      profileId: ids.at(index + 1),
      countryCode,
      currencyCode,
      dailyBudget: NO_LIMIT,
      timezone,
      accountInfo: {
        marketplaceStringId: `A1DEMO${countryCode}MARKET`,
        id: `ENTITY${ids.at(index + 101)}`,
        ...account,
        validPaymentMethod: true,
      },
    },
  }));
}

function demoRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const [region, country, currency, timezone, account] = ROWS[index % ROWS.length]!;
    const round = Math.floor(index / ROWS.length);
    const name = round === 0 ? account.name : `${account.name} ${round + 1}`;
    return [region, country, currency, timezone, { ...account, name }];
  });
}
