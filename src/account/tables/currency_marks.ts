import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";

/** Signs for currencies, in addition to the currency code; ambiguous signs are in several lists. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  AED: ["د.إ.", "د.إ", "Dhs", "Dh"],
  AUD: ["$", "A$", "AU$"],
  BRL: ["R$"],
  CAD: ["$", "C$", "CA$", "CAD$", "CDN$"],
  EGP: ["E£", "ج.م.", "ج.م"],
  EUR: ["€"],
  GBP: ["£"],
  INR: ["₹", "Rs.", "Rs"],
  JPY: ["¥", "JP¥", "円"],
  MXN: ["$", "MX$", "Mex$"],
  PLN: ["zł"],
  SAR: ["﷼", "ر.س.", "ر.س", "SR"],
  SEK: ["kr.", "kr"],
  SGD: ["$", "S$", "SG$"],
  TRY: ["₺", "TL"],
  USD: ["$", "US$"],
  ZAR: ["R"],
};

const escaped = (text: string): string => text.replace(/[.$]/g, "\\$&");
const known = [...new Set(Object.values(SIGNS).flat())].sort((a, b) => b.length - a.length).map(escaped);
const codes = [...new Set(MARKETPLACES.flatMap((country) => marketOf(country)?.currency ?? []))];

export const CURRENCY_MARK = `(?:${known.join("|")}|\\p{L}{0,3}\\p{Sc}|${codes.join("|")})`;

export function foreignCurrency(text: string, countryCode: string): string | undefined {
  const currency = marketOf(countryCode)?.currency ?? "";
  const own = new Set([currency, ...(SIGNS[currency] ?? [])].map((sign) => sign.toLowerCase()));
  const mark = new RegExp(CURRENCY_MARK, "giu");
  return text.normalize("NFKC").match(mark)?.find((found) => !own.has(found.toLowerCase()));
}

export function currencyMark(text: string): string | undefined {
  return text.normalize("NFKC").match(new RegExp(CURRENCY_MARK, "iu"))?.[0];
}

export function isOnlyOf(mark: string, countryCode: string): boolean {
  const currency = marketOf(countryCode)?.currency ?? "";
  const same = mark.toLowerCase();
  const having = Object.entries(SIGNS).filter(([, signs]) =>
    signs.some((sign) => sign.toLowerCase() === same)
  );
  // A dollar sign alone is that of the United States; other dollars have letters before it.
  return same === currency.toLowerCase() || (mark === "$" && currency === "USD") ||
    (having.length === 1 && having[0]?.[0] === currency);
}
