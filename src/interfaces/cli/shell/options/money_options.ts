import { InvalidArgumentError } from "@commander-js/extra-typings";
import { parseStep } from "../../../../account/jobs/amount_step.ts";
import { marketOf } from "../../../../base/markets/markets.ts";
import type { Fields } from "../../../../operations/model/field.ts";
import { UsageError } from "../io/cli_error.ts";

type MoneyOption = number | Readonly<Record<string, number>>;

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

function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError("It is not an amount above 0, such as 2.50.");
  }
  return Number(text);
}

/**
 * Without a profile, amounts by currency are omitted.
 *
 * @throws {UsageError} when an amount is given only in other currencies.
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
