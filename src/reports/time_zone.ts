import { normalizeCountry } from "../connection/marketplace.ts";

const ZONES: Readonly<Record<string, string>> = {
  US: "America/Los_Angeles",
  CA: "America/Los_Angeles",
  MX: "America/Los_Angeles",
  BR: "America/Sao_Paulo",
  UK: "Europe/London",
  DE: "Europe/Paris",
  FR: "Europe/Paris",
  IT: "Europe/Paris",
  ES: "Europe/Paris",
  NL: "Europe/Amsterdam",
  SE: "Europe/Stockholm",
  PL: "Europe/Warsaw",
  BE: "Europe/Brussels",
  IE: "Europe/Dublin",
  TR: "Europe/Istanbul",
  AE: "Asia/Dubai",
  SA: "Asia/Riyadh",
  EG: "Africa/Cairo",
  IN: "Asia/Kolkata",
  ZA: "Africa/Johannesburg",
  JP: "Asia/Tokyo",
  AU: "Australia/Sydney",
  SG: "Asia/Singapore",
};

/**
 * The time zone that a profile's days follow: the one its record names, else the usual one of its marketplace, else
 * UTC.
 */
export function timeZoneOf(profile: { timezone?: string | undefined; countryCode: string }): string {
  return profile.timezone ?? ZONES[normalizeCountry(profile.countryCode)] ?? "UTC";
}
