import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";

/** Signs of each currency, beside its code; a sign of several currencies is in each list. */
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

/** Source of an expression for the sign or code of any currency, to be used with the flags `iu`. */
export const CURRENCY_MARK = `(?:${known.join("|")}|\\p{L}{0,3}\\p{Sc}|${codes.join("|")})`;

/** The sign or code of a currency in a text that is not one of the market's; `undefined` where there is none. */
export function foreignCurrency(text: string, countryCode: string): string | undefined {
  const currency = marketOf(countryCode)?.currency ?? "";
  const own = new Set([currency, ...(SIGNS[currency] ?? [])].map((sign) => sign.toLowerCase()));
  const mark = new RegExp(CURRENCY_MARK, "giu");
  return text.normalize("NFKC").match(mark)?.find((found) => !own.has(found.toLowerCase()));
}

/** The sign or code of a currency in a text; `undefined` where there is none. */
export function currencyMark(text: string): string | undefined {
  return text.normalize("NFKC").match(new RegExp(CURRENCY_MARK, "iu"))?.[0];
}

/** True where a sign or code means the currency of a market and no other. */
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
