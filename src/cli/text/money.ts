/** A currency, and how many decimals its amounts have. */
export interface Currency {
  /** ISO 4217 code. */
  readonly code: string;
  /** Decimals. */
  readonly decimals: number;
}

const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  ("US:USD CA:CAD MX:MXN BR:BRL UK:GBP DE:EUR FR:EUR IT:EUR ES:EUR NL:EUR BE:EUR IE:EUR SE:SEK PL:PLN TR:TRY " +
    "AE:AED SA:SAR EG:EGP IN:INR ZA:ZAR JP:JPY AU:AUD SG:SGD").split(" ").map((pair) => pair.split(":")),
);

/** The currency of a marketplace; `undefined` for one that is not known. */
export function currencyOf(countryCode: string): Currency | undefined {
  const code = CODES[countryCode];
  return code === undefined ? undefined : { code, decimals: code === "JPY" ? 0 : 2 };
}

/** An amount rounded to so many decimals, half away from zero. */
export function roundMoney(amount: number, decimals: number): number {
  const scaled = Number(`${Number(Math.abs(amount).toPrecision(12))}e${decimals}`);
  return Math.sign(amount) * Number(`${Math.round(scaled)}e-${decimals}`);
}

/** An amount with the currency's decimals, or more where it has more. */
export function moneyText(amount: number, decimals: number): string {
  const own = String(amount).split(".")[1]?.length ?? 0;
  return amount.toFixed(Math.max(decimals, Math.min(own, 4)));
}
