import { sameValue } from "../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { MARKETPLACES, normalizeCountry } from "../../../base/markets/markets.ts";
import { plainAmount } from "../../../plans/state/amounts.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";
import { isArchived } from "../model/is_archived.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { SP_STATES } from "./sp_states.ts";

export const GLOBAL_KIND = {
  isGlobal: true,
  numeric: [],
  ...SP_STATES,
  settableStates: ["ENABLED", "PAUSED"],
  extendedFields: SP_EXTENDED_FIELDS,
};

interface MarketplaceParts {
  readonly noun: string;
  readonly amount?: "budget" | "defaultBid" | "bid";
  readonly overrides: readonly string[];
  readonly created?: readonly string[];
  readonly takesList?: boolean;
}

export function marketplacesField(
  parts: MarketplaceParts,
): Pick<ResourceSpec, "normalize" | "whole" | "refuses" | "marketplaceAmount"> {
  const { amount, takesList = false } = parts;
  return {
    ...(amount === undefined ? {} : { marketplaceAmount: { field: amount, isNeeded: !takesList } }),
    normalize: (item) =>
      item["marketplaces"] === undefined
        ? item
        : { ...item, marketplaces: marketplacesOf(item["marketplaces"], parts) },
    whole: ["marketplaces"],
    refuses: (update, entity) => {
      const known = fieldsOf(entity["marketplaces"]);
      const wanted = Object.entries(fieldsOf(update["marketplaces"]));
      const others = wanted.map(([country]) => country).filter((country) => !Object.hasOwn(known, country));
      if (others.length > 0) {
        return `The ${parts.noun} is not in ${
          others.join(", ")
        }, and an update adds no marketplace: it is in ${Object.keys(known).join(", ")}`;
      }
      for (const [country, fields] of wanted) {
        const now = fieldsOf(known[country]);
        const next = fieldsOf(mergeFields(now, fields));
        if (isArchived(now) && !sameValue(next, now)) {
          return `The copy of the ${parts.noun} in ${country} is archived`;
        }
        const fixed = (parts.created ?? []).find((field) => !sameValue(next[field], now[field]));
        if (fixed !== undefined) return `${fixed} of the ${parts.noun} in ${country} cannot be changed`;
      }
      return undefined;
    },
  };
}

function marketplacesOf(value: unknown, parts: MarketplaceParts): Fields {
  const { amount: field, overrides, takesList = false } = parts;
  const given = takesList && Array.isArray(value)
    ? value.map((name): [string, unknown] => [String(name), {}])
    : Object.entries(fieldsOf(value));
  if (given.length === 0 || (Array.isArray(value) && !takesList)) {
    throw new TypeError(`Cannot use these marketplaces: ${expected(parts)}`);
  }
  const problems: string[] = [];
  const found = given.map(([name, one]): [string, Fields] => {
    const country = normalizeCountry(name);
    if (!MARKETPLACES.includes(country)) problems.push(`"${name}" is not a marketplace`);
    const isBare = typeof one !== "object";
    if (isBare && field === undefined) problems.push(`${country} is ${JSON.stringify(one)} and no object`);
    const fields: Fields = isBare ? { [field ?? "state"]: one } : { ...fieldsOf(one) };
    if (field !== undefined) problems.push(...readAmountOf(fields, field, country));
    const { state } = fields;
    if (state !== undefined && (field !== undefined || !isBare)) {
      fields["state"] = String(state).toUpperCase();
      if (!["ENABLED", "PAUSED"].includes(String(fields["state"]))) {
        problems.push(`${country} cannot be set to ${JSON.stringify(state)}: expected ENABLED or PAUSED`);
      }
    }
    const all = field === undefined ? overrides : [field, ...overrides];
    const unknown = Object.keys(fields).filter((name) => !all.includes(name));
    if (unknown.length > 0) {
      problems.push(`${country} has no ${unknown.join(", ")}: expected ${all.join(", ")}`);
    }
    return [country, fields];
  });
  const twice = found.find(([country], at) => found.findIndex(([other]) => other === country) !== at);
  if (twice !== undefined) problems.push(`${twice[0]} is given twice`);
  if (problems.length > 0) throw new TypeError(`Cannot use these marketplaces: ${problems.join("; ")}`);
  return Object.fromEntries(found);
}

function readAmountOf(fields: Fields, field: string, country: string): string[] {
  const value = fields[field];
  const amount = typeof value === "string" ? plainAmount(value) : value;
  if (amount !== undefined) fields[field] = amount;
  if (value === undefined || (typeof amount === "number" && Number.isFinite(amount) && amount >= 0)) {
    return [];
  }
  return [`the ${field} of ${country} is not an amount: ${JSON.stringify(value)}`];
}

function expected({ amount, takesList }: MarketplaceParts): string {
  if (amount === undefined) return 'give countries, as ["US", "DE"], or fields by country';
  const form = `give an amount or fields by country, as { US: 20, DE: { ${amount}: 15 } }`;
  return takesList ? `${form}, or countries, as ["US", "DE"]` : form;
}
