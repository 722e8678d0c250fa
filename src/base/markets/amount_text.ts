import { moneyText, roundMoney } from "../text/money_text.ts";
import { currencyDecimals } from "./markets.ts";

/** Writes an amount with the decimals of its currency. */
export function amountText(amount: number, currency: string | null): string {
  const decimals = currencyDecimals(currency ?? "");
  return moneyText(roundMoney(amount, decimals), decimals);
}
