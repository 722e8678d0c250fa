import { ConfigurationError } from "../../errors.ts";
import { keptOr } from "../json/kept_or.ts";

/** One of the three regional host groups: North America, Europe (with India), Far East (with Australia). */
export type Region = "NA" | "EU" | "FE";

/**
 * All regions, in the order in which they are queried.
 *
 * @example
 * ```ts
 * import { PlatformAds, REGIONS } from "@platform/ads";
 *
 * function hosts(ads: PlatformAds): void {
 *   for (const region of REGIONS) if (ads.platform.regions[region]) console.log(region, ads.baseUrl(region));
 * }
 * ```
 */
export const REGIONS: readonly Region[] = ["NA", "EU", "FE"];

/** Two-letter country code of a marketplace as the platform writes it (`UK`, never `GB`). */
export type CountryCode = string;

/** Fixed facts of a marketplace. */
export interface Market {
  /** Country code as the platform writes it. */
  readonly country: CountryCode;
  /** Region whose host serves the marketplace. */
  readonly region: Region;
  /** ISO 4217 code of all amounts in the marketplace. */
  readonly currency: string;
  /** Number of decimals of the currency. */
  readonly decimals: number;
  /** Time zone of the marketplace's days, used if a profile does not name one. */
  readonly timeZone: string;
}

/** Marketplaces by region. Profiles of Germany use the time zone of Paris. */
const TABLE: Readonly<Record<Region, string>> = {
  NA: `
    US USD America/Los_Angeles
    CA CAD America/Los_Angeles
    MX MXN America/Los_Angeles
    BR BRL America/Sao_Paulo`,
  EU: `
    UK GBP Europe/London
    DE EUR Europe/Paris
    FR EUR Europe/Paris
    IT EUR Europe/Paris
    ES EUR Europe/Paris
    NL EUR Europe/Amsterdam
    SE SEK Europe/Stockholm
    PL PLN Europe/Warsaw
    BE EUR Europe/Brussels
    IE EUR Europe/Dublin
    TR TRY Europe/Istanbul
    AE AED Asia/Dubai
    SA SAR Asia/Riyadh
    EG EGP Africa/Cairo
    IN INR Asia/Kolkata
    ZA ZAR Africa/Johannesburg`,
  FE: `
    JP JPY Asia/Tokyo
    AU AUD Australia/Sydney
    SG SGD Asia/Singapore`,
};

const MARKETS: ReadonlyMap<CountryCode, Market> = new Map(
  REGIONS.flatMap((region) =>
    TABLE[region].trim().split("\n").map((line) => {
      const [country = "", currency = "", timeZone = ""] = line.trim().split(" ");
      return [country, {
        country,
        region,
        currency,
        decimals: currency === "JPY" ? 0 : 2,
        timeZone,
      }] as const;
    })
  ),
);

/**
 * Every marketplace the platform serves, by country code, grouped by region.
 *
 * @example
 * ```ts
 * import { MARKETPLACES } from "@platform/ads";
 *
 * console.log(MARKETPLACES.includes("CA"), MARKETPLACES.length); // true 23
 * ```
 */
export const MARKETPLACES: readonly CountryCode[] = [...MARKETS.keys()];

export function isCountryCode(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}

/**
 * Returns the platform's spelling of a country code: upper case, and `UK` for `GB`.
 *
 * @throws {TypeError} for what is not text.
 *
 * @example
 * ```ts
 * import { normalizeCountry } from "@platform/ads";
 *
 * console.log(normalizeCountry("gb"), normalizeCountry(" us ")); // UK US
 * ```
 */
export function normalizeCountry(code: string): CountryCode {
  if (typeof code !== "string") throw new TypeError(`Cannot use ${code} as a country code: it is not text`);
  const upper = code.trim().toUpperCase();
  return upper === "GB" ? "UK" : upper;
}

/** A profile id as it is, or a country code in the platform's spelling. */
export function marketKey(market: string): string {
  return /\d/.test(market) ? market : normalizeCountry(market);
}

/**
 * Returns the fixed facts of a marketplace: region, currency, decimals and time zone; `undefined` for a country that
 * the platform does not serve.
 *
 * @param country Country code in either case; `UK` and `GB` both count.
 *
 * @example
 * ```ts
 * import { marketOf } from "@platform/ads";
 *
 * console.log(marketOf("SE")?.currency, marketOf("JP")?.decimals, marketOf("XX")); // SEK 0 undefined
 * ```
 */
export function marketOf(country: string): Market | undefined {
  return MARKETS.get(normalizeCountry(country));
}

/**
 * Returns the region whose host serves a marketplace. `UK` and `GB` are both accepted; Australia and Japan are in
 * `FE`, the United Kingdom and India in `EU`.
 *
 * @throws {ConfigurationError} when no region serves the country.
 *
 * @example
 * ```ts
 * import { regionOf } from "@platform/ads";
 *
 * console.log(regionOf("CA"), regionOf("UK"), regionOf("AU")); // NA EU FE
 * ```
 */
export function regionOf(country: string): Region {
  const market = marketOf(country);
  if (market !== undefined) return market.region;
  throw new ConfigurationError(
    `Cannot find a region for marketplace "${country}": the platform serves ${MARKETPLACES.join(", ")}`,
  );
}

/**
 * Returns the time zone of a profile: its own, otherwise that of its marketplace, otherwise UTC. Unknown names are
 * ignored.
 */
export function timeZoneOf(profile: { timezone?: string | undefined; countryCode: string }): string {
  const { timezone, countryCode } = profile;
  if (timezone && isTimeZone(timezone)) return timezone;
  return marketOf(countryCode)?.timeZone ?? "UTC";
}

export function decimalsOf(countryCode: string): number {
  return marketOf(countryCode)?.decimals ?? 2;
}

export function currencyDecimals(currency: string): number {
  return [...MARKETS.values()].find((market) => market.currency === currency)?.decimals ?? 2;
}

const ZONES = new Map<string, boolean>();

export function isTimeZone(name: string): boolean {
  return keptOr(ZONES, name, () => {
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      return true;
    } catch {
      return false;
    }
  });
}
