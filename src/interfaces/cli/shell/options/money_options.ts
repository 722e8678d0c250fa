import { InvalidArgumentError } from "@commander-js/extra-typings";
import { parseStep } from "../../../../account/jobs/amount_step.ts";
import { marketOf } from "../../../../base/markets/markets.ts";
import type { Fields } from "../../../../operations/model/field.ts";
import { UsageError } from "../errors/cli_error.ts";

/** An amount of money, or one for each currency: profiles of several markets take no common amount. */
export type MoneyOption = number | Readonly<Record<string, number>>;

/** Reads `2.50`, or `USD=2.50,CAD=3`. */
export function money(text: string): MoneyOption {
  if (!text.includes("=")) return amount(text);
  const amounts: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [, currency, number] = /^\s*([A-Za-z]{3})\s*=\s*([\d.]+)\s*$/.exec(part) ?? [];
    if (currency === undefined || number === undefined) {
      throw new InvalidArgumentError(`"${part.trim()}" is not an amount of a currency, such as USD=2.50.`);
    }
    amounts[currency.toUpperCase()] = amount(number);
  }
  return amounts;
}

/** An amount of money, above 0. */
function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError("It is not an amount above 0, such as 2.50.");
  }
  return Number(text);
}

/**
 * Values of fields with each amount in the currency of a profile. Without a profile, amounts by currency are left out.
 *
 * @throws {UsageError} for an amount that is given in other currencies only.
 */
export function inCurrencyOf(
  profile: { readonly countryCode: string } | undefined,
  values: Readonly<Record<string, unknown>>,
  fields: Fields,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      fields[name]?.type === "amount" && typeof value === "object" && value !== null
        ? profile && amountFor(profile.countryCode, new Map(Object.entries(value)))
        : value,
    ]),
  );
}

function amountFor(countryCode: string, amounts: ReadonlyMap<string, unknown>): unknown {
  const currency = marketOf(countryCode)?.currency ?? "";
  const found = amounts.get(currency);
  if (found !== undefined) return found;
  throw new UsageError(
    `Cannot use an amount in ${[...amounts.keys()].join(", ")} for ${countryCode}: add one in ${currency}`,
  );
}

/**
 * Refuses one amount for profiles of several currencies.
 *
 * @throws {UsageError} that says how to give it.
 */
export function checkCurrencies(
  profiles: readonly { readonly countryCode: string }[],
  values: Readonly<Record<string, unknown>>,
  fields: Fields,
): void {
  const currencies = [
    ...new Set(profiles.flatMap(({ countryCode }) => marketOf(countryCode)?.currency ?? [])),
  ].sort();
  if (currencies.length < 2) return;
  for (const [name, value] of Object.entries(values)) {
    const option = `--${name.replaceAll("_", "-")}`;
    const type = fields[name]?.type;
    const common = `Cannot use ${option} ${value} for profiles in ${currencies.join(", ")}`;
    if (type === "amount" && typeof value === "number") {
      const each = currencies.map((code) => `${code}=...`).join(",");
      throw new UsageError(`${common}: add one for each currency, as ${option} ${each}`);
    }
    if (type === "step" && typeof value === "string" && parseStep(value).isMoney) {
      throw new UsageError(`${common}: one amount does not fit several currencies; use a share such as +10%`);
    }
  }
}
