import { ConfigurationError } from "../errors.ts";
import type { Region } from "./region.ts";

/** Two-letter country code of a marketplace as the platform writes it (`UK`, never `GB`). */
export type CountryCode = string;

const BY_REGION: Readonly<Record<Region, string>> = {
  NA: "US CA MX BR",
  EU: "UK DE FR IT ES NL SE PL BE IE TR AE SA EG IN ZA",
  FE: "JP AU SG",
};

const REGION_OF: ReadonlyMap<string, Region> = new Map(
  (Object.entries(BY_REGION) as [Region, string][])
    .flatMap(([region, codes]) => codes.split(" ").map((code) => [code, region] as const)),
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
export const MARKETPLACES: readonly CountryCode[] = [...REGION_OF.keys()];

/** True when `text` has the form of a country code, known or not; either case. */
export function isCountryCode(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}

/**
 * The platform's spelling of a country code: upper case, and `UK` for `GB`.
 *
 * @throws {TypeError} for what is no text.
 *
 * @example
 * ```ts
 * import { normalizeCountry } from "@platform/ads";
 *
 * console.log(normalizeCountry("gb"), normalizeCountry(" us ")); // UK US
 * ```
 */
export function normalizeCountry(code: string): CountryCode {
  if (typeof code !== "string") throw new TypeError(`Cannot use ${code} as a country code: it is no text`);
  const upper = code.trim().toUpperCase();
  return upper === "GB" ? "UK" : upper;
}

/**
 * The region whose host serves a marketplace. `UK` and `GB` both count; Australia and Japan are `FE`, the United
 * Kingdom and India `EU`.
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
  const region = REGION_OF.get(normalizeCountry(country));
  if (region === undefined) {
    throw new ConfigurationError(
      `Cannot find a region for marketplace "${country}": the platform serves ${MARKETPLACES.join(", ")}`,
    );
  }
  return region;
}
