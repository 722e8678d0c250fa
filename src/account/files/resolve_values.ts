import { isObject } from "../../base/json/fields_of.ts";
import { decimalsOf, marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { MONEY_FIELDS } from "../../plans/state/amounts.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountSettings } from "./account_settings.ts";

export interface ValuePlace {
  readonly countryCode: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

export class UnresolvedValue extends Error {}

const VARIABLE = /\$?\$\{([^{}]*)\}/g;
const ALONE = /^\$\{([^{}]*)\}$/;
const CURRENCIES: ReadonlySet<string> = new Set(
  MARKETPLACES.flatMap((code) => marketOf(code)?.currency ?? []),
);
const MAX_DEPTH = 10;
/** Parts of variables that are read for all files together; a chain of variables grows as a power of its length. */
const MAX_PARTS = 2_000_000;
/** Characters of variables that are inserted into the texts of all files together. */
const MAX_INSERTED = 20_000_000;
const MAP_FIELDS: readonly string[] = ["tags", "marketplaces"];

export class ValueResolver {
  readonly #settings: AccountSettings;
  readonly #place: ValuePlace | undefined;
  #parts = 0;
  #inserted = 0;

  /** @param place `undefined` selects the first value of each market or currency mapping. */
  constructor(settings: AccountSettings, place: ValuePlace | undefined) {
    this.#settings = settings;
    this.#place = place;
  }

  /** @param field Path without list positions, for example `budget.budget`; decides if the value is an amount. */
  value(value: unknown, field: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) throw new UnresolvedValue("uses variables that refer to each other in a loop");
    if (depth > 0) this.#count({ parts: 1, characters: 0 });
    if (typeof value === "string") return this.#text(value, field, depth);
    if (typeof value === "number") return MONEY_FIELDS.has(field) ? this.#converted(value) : value;
    if (Array.isArray(value)) return value.map((part) => this.value(part, field, depth));
    if (!isObject(value)) return value;
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
      if (typeof value === "string" || typeof value === "number") {
        const inserted = String(value);
        this.#count({ parts: 0, characters: inserted.length });
        return inserted;
      }
      throw new UnresolvedValue(
        `inserts the variable "${name.trim()}", which is neither text nor a number`,
      );
    });
  }

  #count({ parts, characters }: { readonly parts: number; readonly characters: number }): void {
    this.#parts += parts;
    this.#inserted += characters;
    if (this.#parts <= MAX_PARTS && this.#inserted <= MAX_INSERTED) return;
    throw new UnresolvedValue(
      `uses variables that are too long together with those of the other fields: at most ${MAX_PARTS} values and ` +
        `${MAX_INSERTED} characters of variables are inserted`,
    );
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
