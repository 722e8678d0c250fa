import { MARKETPLACES } from "../../base/markets/markets.ts";

let names: ReadonlyMap<string, string> | undefined;

export function countryNamed(name: string): string | undefined {
  names ??= new Map(
    ["en", "de", "fr", "it", "es", "pt", "nl", "pl", "sv", "tr", "ar", "ja", "zh"].flatMap((language) => {
      const display = new Intl.DisplayNames([language], { type: "region" });
      return MARKETPLACES.map((country) =>
        [(display.of(country === "UK" ? "GB" : country) ?? country).toLowerCase(), country] as const
      );
    }),
  );
  const key = name.trim().toLowerCase();
  const code = key === "gb" ? "uk" : key;
  return names.get(key) ?? MARKETPLACES.find((country) => country.toLowerCase() === code);
}
