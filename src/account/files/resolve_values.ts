import { isObject } from "../../base/json/is_object.ts";
import { decimalsOf, marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { MONEY_FIELDS } from "../../plans/state/amounts.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountSettings } from "./account_settings.ts";

/** The profile that values are resolved for. */
export interface ValuePlace {
  readonly countryCode: string;
  /** ISO 4217 code of its amounts. */
  readonly currency: string;
}

/** Why a value cannot be resolved. */
export class UnresolvedValue extends Error {}

const VARIABLE = /\$?\$\{([^{}]*)\}/g;
const ALONE = /^\$\{([^{}]*)\}$/;
const CURRENCIES: ReadonlySet<string> = new Set(
  MARKETPLACES.flatMap((code) => marketOf(code)?.currency ?? []),
);
/** Variables may name each other, up to so deep. */
const MAX_DEPTH = 10;
/** Fields whose keys are data; those of marketplaces are countries, and all of them hold in every profile. */
const MAP_FIELDS: readonly string[] = ["tags", "marketplaces"];

/**
 * Values of files as one profile gets them: variables are put in, of a mapping by market or by currency the own value is
 * taken, and an amount in another currency is converted.
 */
export class ValueResolver {
  readonly #settings: AccountSettings;
  readonly #place: ValuePlace | undefined;

  /** @param place `undefined` takes the first value of those by market or currency. */
  constructor(settings: AccountSettings, place: ValuePlace | undefined) {
    this.#settings = settings;
    this.#place = place;
  }

  /**
   * @param field Path of the field without positions, for example `budget.budget`: whether it holds an amount.
   * @throws {UnresolvedValue} that says why it cannot be.
   */
  value(value: unknown, field: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) throw new UnresolvedValue("uses variables that refer to each other in a loop");
    if (typeof value === "string") return this.#text(value, field, depth);
    if (typeof value === "number") return MONEY_FIELDS.has(field) ? this.#converted(value) : value;
    if (Array.isArray(value)) return value.map((part) => this.value(part, field, depth));
    if (!isFields(value)) return value;
    if (!MAP_FIELDS.includes(field)) {
      const keys = Object.keys(value);
      if (areMarkets(keys)) return this.value(this.#ofMarket(value), field, depth);
      if (areCurrencies(keys)) return this.#ofCurrency(value, field);
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name.replaceAll("$${", "${"),
        this.value(part, `${field}.${name}`, depth),
      ]),
    );
  }

  #text(text: string, field: string, depth: number): unknown {
    if (!text.includes("${")) return text;
    const alone = ALONE.exec(text)?.[1];
    if (alone !== undefined) return this.value(this.#variable(alone), field, depth + 1);
    return text.replace(VARIABLE, (found, name: string) => {
      if (found.startsWith("$$")) return found.slice(1);
      const value = this.value(this.#variable(name), "", depth + 1);
      if (typeof value === "string" || typeof value === "number") return String(value);
      throw new UnresolvedValue(
        `inserts the variable "${name.trim()}", which is neither text nor a number`,
      );
    });
  }

  #variable(text: string): unknown {
    const name = text.trim();
    if (Object.hasOwn(this.#settings.variables, name)) return this.#settings.variables[name];
    throw new UnresolvedValue(
      `uses the variable "${name}", which is not among the variables of account.yaml`,
    );
  }

  #ofMarket(value: Fields): unknown {
    if (this.#place === undefined) return Object.values(value)[0];
    const { countryCode } = this.#place;
    if (Object.hasOwn(value, countryCode)) return value[countryCode];
    throw new UnresolvedValue(`has no value for ${countryCode}, only for ${Object.keys(value).join(", ")}`);
  }

  #ofCurrency(value: Fields, field: string): unknown {
    if (this.#place === undefined) return Object.values(value)[0];
    const { currency } = this.#place;
    if (Object.hasOwn(value, currency)) return value[currency];
    const base = value[this.#settings.currency ?? ""];
    if (typeof base === "number" && MONEY_FIELDS.has(field)) return this.#converted(base);
    throw new UnresolvedValue(`has no amount in ${currency}, only in ${Object.keys(value).join(", ")}`);
  }

  /** An amount in the currency of the files as one in the currency of the profile. */
  #converted(amount: number): number {
    if (this.#place === undefined) return amount;
    const { currency: from, rates } = this.#settings;
    const { currency: to, countryCode } = this.#place;
    if (from === undefined || from === to) return amount;
    const rate = Object.hasOwn(rates, to) ? rates[to] : undefined;
    if (rate !== undefined) return Number((amount * rate).toFixed(decimalsOf(countryCode)));
    throw new UnresolvedValue(
      `is in ${from}, and this profile's amounts are in ${to}. Write { ${from}: ${amount}, ${to}: ... }, or add the ` +
        `rate of ${to} to account.yaml`,
    );
  }
}

function areMarkets(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => /^[A-Z]{2}$/.test(key) && marketOf(key) !== undefined);
}

function areCurrencies(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => CURRENCIES.has(key));
}

function isFields(value: unknown): value is Fields {
  return isObject(value);
}
