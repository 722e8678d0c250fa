import { dayAt, daySpan } from "../../core/day_span.ts";
import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { type Filter, idsIn, valuesIn } from "../../entities/filter.ts";
import { choice, type Field, list, number, object, optional, required, text } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { countryWord } from "../reporting1/advertiser_accounts.ts";
import type { AdProduct } from "./unified_kind.ts";

export const AMOUNT = "budgets[0].budgetValue.monetaryBudgetValue.monetaryBudget.value";
const MONEY = object({ value: required(number()), currencyCode: optional(text()) });

export function budgets(...periods: string[]): Field["shape"] {
  return list(
    object({
      budgetType: required(choice("MONETARY")),
      ...(periods.length === 0 ? {} : { recurrenceTimePeriod: required(choice(...periods)) }),
      budgetValue: required(
        object({ monetaryBudgetValue: required(object({ monetaryBudget: required(MONEY) })) }),
      ),
    }),
    1,
  );
}

export function budgetOf(item: JsonObject): { value: Json; period: Json } | undefined {
  const [budget] = objectsIn(item.budgets) ?? [];
  if (budget === undefined) return undefined;
  const { value = 0 } = part(budget, "budgetValue", "monetaryBudgetValue", "monetaryBudget");
  return { value, period: budget.recurrenceTimePeriod ?? "DAILY" };
}

export function budgetList(
  value: Json | undefined,
  period: Json | undefined,
  { record }: ProfileState,
): JsonObject[] {
  return [{
    budgetType: "MONETARY",
    recurrenceTimePeriod: period ?? "DAILY",
    budgetValue: {
      monetaryBudgetValue: { monetaryBudget: { value: value ?? 0, currencyCode: record.currencyCode } },
    },
  }];
}

const DAY_END = 1000;

export const STATE = choice("ENABLED", "PAUSED");

export const ID = text({ max: 20 });

export const TAGS: Field = optional(
  list(object({ key: required(text({ blank: true })), value: required(text({ blank: true })) }), 50),
);

export const AD_PRODUCT: Field = required(
  choice("SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"),
);

export function commonFilters(idField: string): Readonly<Record<string, Filter>> {
  return {
    [`${idField}Filter`]: idsIn(idField, 1000),
    stateFilter: valuesIn("state", 3, ["ENABLED", "PAUSED", "ARCHIVED"]),
  };
}

export type Noun = "CAMPAIGN" | "AD_GROUP" | "AD" | "AD_EXTENSION" | "TARGET";

export function commonFields(
  entity: JsonObject,
  { adProduct, noun }: { adProduct: AdProduct; noun: Noun },
  profile: ProfileState,
): JsonObject {
  const state = String(entity.state).toUpperCase();
  const { countryCode } = profile.record;
  const reasons = [
    // No reason is published for a paused target of Display.
    ...(adProduct === "SPONSORED_DISPLAY" && noun === "TARGET" ? [] : reasonOf(noun, state)),
    ...parentReasons(entity, { adProduct, noun }, profile),
  ];
  return {
    adProduct,
    state,
    marketplaceScope: "SINGLE_MARKETPLACE",
    marketplaces: [countryWord(countryCode)],
    status: {
      deliveryStatus: state === "ENABLED" && reasons.length === 0 ? "DELIVERING" : "NOT_DELIVERING",
      ...(reasons.length === 0 ? {} : { deliveryReasons: reasons }),
    },
    ...moments(entity),
  };
}

function reasonOf(noun: string, state: string): string[] {
  return state === "ENABLED" ? [] : [`${noun}_${state === "ARCHIVED" ? "ARCHIVED" : "PAUSED"}`];
}

function parentReasons(
  entity: JsonObject,
  { adProduct, noun }: { adProduct: AdProduct; noun: Noun },
  profile: ProfileState,
): string[] {
  const family = FAMILIES[adProduct];
  const stateOf = (collection: string, id: unknown): string =>
    String(profile.collection(`${family}.${collection}`).get(String(id))?.state ?? "ENABLED").toUpperCase();
  const { adId, adGroupId, campaignId } = entity;
  return [
    ...(noun === "AD_EXTENSION" && adId !== undefined ? reasonOf("AD", stateOf(ADS[adProduct], adId)) : []),
    ...(noun === "AD" || noun === "AD_EXTENSION" || noun === "TARGET"
      ? adGroupId === undefined ? [] : reasonOf("AD_GROUP", stateOf("ad_groups", adGroupId))
      : []),
    ...(noun === "CAMPAIGN" || campaignId === undefined
      ? []
      : reasonOf("CAMPAIGN", stateOf("campaigns", campaignId))),
  ];
}

const FAMILIES: Readonly<Record<AdProduct, string>> = {
  SPONSORED_PRODUCTS: "sp",
  SPONSORED_BRANDS: "sb",
  SPONSORED_DISPLAY: "sd",
};
const ADS: Readonly<Record<AdProduct, string>> = {
  SPONSORED_PRODUCTS: "product_ads",
  SPONSORED_BRANDS: "ads",
  SPONSORED_DISPLAY: "product_ads",
};

/** Converts a day to the moment of its start in the profile's time zone; an end becomes the last second of the day. */
export function dayToMoment(
  day: unknown,
  edge: "start" | "end",
  { record }: ProfileState,
): string | undefined {
  if (typeof day !== "string" || day === "") return undefined;
  const { start, end } = daySpan(day, record.timezone);
  return new Date(edge === "start" ? start : end - DAY_END).toISOString();
}

/** Converts a moment to a day in the profile's time zone; text that is not a moment is unchanged. */
export function momentToDay(moment: unknown, { record }: ProfileState): string | null | undefined {
  if (moment === undefined || moment === null) return moment;
  const time = Date.parse(String(moment));
  if (Number.isNaN(time)) return String(moment);
  return dayAt(time, record.timezone);
}

export function tagsToObject(tags: unknown): JsonObject | undefined {
  if (!Array.isArray(tags)) return undefined;
  return Object.fromEntries(tags.filter(isObject).map(({ key, value }) => [String(key), String(value)]));
}

export function tagsToList(tags: unknown): JsonObject[] | undefined {
  if (!isObject(tags)) return undefined;
  return Object.entries(tags).map(([key, value]) => ({ key, value: String(value) }));
}

export function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function part(value: unknown, ...path: readonly string[]): JsonObject {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return isObject(found) ? found : {};
}

/** Placeholder: Brands keywords and targets have no times, but unified responses require them. */
const NOT_RECORDED = "2025-01-01T00:00:00.000Z";

function moments({ extendedData }: JsonObject): JsonObject {
  const { creationDateTime, lastUpdateDateTime, creationDate, lastUpdateDate } = part(
    { extendedData },
    "extendedData",
  );
  const iso = (value: unknown) => typeof value === "number" ? new Date(value).toISOString() : undefined;
  return defined({
    creationDateTime: creationDateTime ?? iso(creationDate) ?? NOT_RECORDED,
    lastUpdatedDateTime: lastUpdateDateTime ?? iso(lastUpdateDate) ?? NOT_RECORDED,
  });
}

export function audienceOf({ percentage, audienceSegments }: JsonObject): JsonObject {
  const [segment] = objectsIn(audienceSegments) ?? [];
  return defined({ audienceId: segment?.audienceId, percentage: percentage ?? 0 });
}

export function back(names: Readonly<Record<string, string>>, value: Json | undefined): string | undefined {
  return Object.entries(names).find(([, own]) => own === value)?.[0];
}
