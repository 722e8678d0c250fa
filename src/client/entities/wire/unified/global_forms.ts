import { sameValue } from "../../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { marketOf, normalizeCountry, timeZoneOf } from "../../../../base/markets/markets.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { marketplaceWord } from "./forms.ts";
import { budgetEntry } from "./sp_forms.ts";
import { FieldTable, NotOnWire, type UnifiedField, type WirePlace } from "./unified_field.ts";

export interface MarketplaceAmount {
  readonly own: string;
  readonly body: (settings: readonly Fields[]) => Fields;
  readonly setting: (amount: unknown, marketplace: string, countryCode: string) => Fields;
  readonly settings: (entity: Fields) => readonly Fields[];
  readonly read: (setting: Fields) => Fields;
}

export class MarketplaceTable {
  readonly #idField: string;
  readonly #amount: MarketplaceAmount | undefined;
  readonly #overrides: FieldTable;
  readonly #left: readonly string[];

  constructor(
    parts: {
      readonly idField: string;
      readonly amount?: MarketplaceAmount;
      readonly overrides: readonly UnifiedField[];
      readonly left?: readonly string[];
    },
  ) {
    this.#idField = parts.idField;
    this.#amount = parts.amount;
    this.#overrides = new FieldTable(parts.overrides);
    this.#left = parts.left ?? [];
  }

  toWire(value: unknown, place: WirePlace, op: "create" | "update"): Fields {
    const settings: Fields[] = [];
    const configurations: Fields[] = [];
    const problems: string[] = [];
    const amount = this.#amount;
    const apart = new Set([this.#idField, amount?.own, ...this.#left]);
    const countries = Object.keys(fieldsOf(value));
    for (const country of countries) {
      const there = fieldsOf(fieldsOf(value)[country]);
      // An archived copy takes no change, and nothing but a delete archives one.
      if (op === "update" && there["state"] === "ARCHIVED") continue;
      const marketplace = marketplaceWord(country);
      const given = amount && there[amount.own];
      if (given === null) problems.push(`${country}: The unified family cannot empty ${amount?.own}`);
      else if (given !== undefined) settings.push(amount!.setting(given, marketplace, country));
      const rest = Object.fromEntries(Object.entries(there).filter(([name]) => !apart.has(name)));
      const found = this.#overrides.toWire(rest, placeIn(country, place), op);
      problems.push(...found.problems.map(({ message }) => `${country}: ${message}`));
      if (Object.keys(found.body).length > 0) configurations.push({ marketplace, overrides: found.body });
    }
    if (problems.length > 0) throw new NotOnWire(problems.join("; "));
    return {
      ...(op === "create" ? { marketplaces: countries.map(marketplaceWord) } : {}),
      ...(settings.length === 0 || amount === undefined ? {} : amount.body(settings)),
      ...(configurations.length === 0 ? {} : { marketplaceConfigurations: configurations }),
    };
  }

  toOwn(entity: Fields, place: WirePlace): Readonly<Record<string, Fields>> | undefined {
    const { marketplaces, marketplaceConfigurations } = entity;
    const found = new Map<string, Fields>();
    const at = (word: unknown): Fields => {
      const country = normalizeCountry(String(word));
      const there = found.get(country) ?? {};
      found.set(country, there);
      return there;
    };
    for (const word of Array.isArray(marketplaces) ? marketplaces : []) at(word);
    for (const setting of this.#amount?.settings(entity) ?? []) {
      Object.assign(at(setting["marketplace"]), this.#amount?.read(setting));
    }
    for (const one of listOf(marketplaceConfigurations)) {
      const country = normalizeCountry(String(one["marketplace"]));
      Object.assign(
        at(country),
        one[this.#idField] === undefined ? {} : { [this.#idField]: one[this.#idField] },
        this.#overrides.toOwn(fieldsOf(one["overrides"]), placeIn(country, place)),
      );
    }
    return found.size === 0 ? undefined : Object.fromEntries(found);
  }
}

export const BUDGETS: MarketplaceAmount = {
  own: "budget",
  body: (settings) => ({ budgets: [budgetEntry({ marketplaceSettings: settings }, "DAILY")] }),
  setting: (value, marketplace) => ({ marketplace, monetaryBudget: { value } }),
  settings: ({ budgets }) => {
    const [budget] = listOf(budgets);
    const { monetaryBudgetValue } = fieldsOf(fieldsOf(budget)["budgetValue"]);
    return listOf(fieldsOf(monetaryBudgetValue)["marketplaceSettings"]);
  },
  read: ({ monetaryBudget }) => {
    const { value, ruleValue } = fieldsOf(monetaryBudget);
    return { budget: value, ...(ruleValue === undefined ? {} : { effectiveBudget: ruleValue }) };
  },
};

export function bids(own: "defaultBid" | "bid"): MarketplaceAmount {
  return {
    own,
    body: (marketplaceSettings) => ({ bid: { marketplaceSettings } }),
    setting: (value, marketplace, countryCode) => ({
      marketplace,
      currencyCode: marketOf(countryCode)?.currency,
      [own]: value,
    }),
    settings: ({ bid }) => listOf(fieldsOf(bid)["marketplaceSettings"]),
    read: (setting) => setting[own] === undefined ? {} : { [own]: setting[own] },
  };
}

/**
 * Finds the common value of all marketplaces. The first value becomes the common one; only differing values are kept
 * separately.
 */
export function shared<Value>(
  values: ReadonlyMap<string, Value>,
): { readonly whole: Value | undefined; readonly others: ReadonlyMap<string, Value> } {
  const [whole] = values.values();
  return { whole, others: new Map([...values].filter(([, value]) => !sameValue(value, whole))) };
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function placeIn(countryCode: string, { today, now }: WirePlace): WirePlace {
  return { countryCode, timeZone: timeZoneOf({ countryCode }), today, now };
}
