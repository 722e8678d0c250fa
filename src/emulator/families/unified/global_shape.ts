import { type JsonObject, objectsIn } from "../../core/json.ts";
import {
  choice,
  type Field,
  type Fields,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  text,
} from "../../entities/shape.ts";
import { ID, part, STATE, TAGS } from "./common.ts";

export const MARKETPLACE = choice(
  "AE",
  "AU",
  "BE",
  "BR",
  "CA",
  "DE",
  "EG",
  "ES",
  "FR",
  "GB",
  "IN",
  "IT",
  "JP",
  "MX",
  "NL",
  "PL",
  "SA",
  "SE",
  "SG",
  "TR",
  "US",
);
export const MAX_MARKETPLACES = 30;
const STRATEGY = choice("MANUAL", "NEW_TO_BRAND", "RULE_BASED", "SALES_DOWN_ONLY", "SALES_UP_AND_DOWN");
const ADJUSTMENT = object({
  placement: required(choice("PRODUCT_PAGE", "REST_OF_SEARCH", "TOP_OF_SEARCH")),
  percentage: required(number({ low: -99, high: 900, whole: true })),
});
const OPTIMIZATIONS = object({
  bidSettings: optional(object({
    bidStrategy: optional(STRATEGY),
    bidAdjustments: optional(object({ placementBidAdjustments: optional(list(ADJUSTMENT, 3)) })),
  })),
});
const SETTING = object({
  marketplace: required(MARKETPLACE),
  monetaryBudget: required(object({ value: required(number()) })),
});
const BUDGETS = list(
  object({
    budgetType: required(choice("MONETARY")),
    recurrenceTimePeriod: required(choice("DAILY")),
    budgetValue: required(object({
      monetaryBudgetValue: required(
        object({ marketplaceSettings: required(list(SETTING, MAX_MARKETPLACES)) }),
      ),
    })),
  }),
  1,
);

export function configurations(overrides: Fields): Field {
  const one = object({ marketplace: required(MARKETPLACE), overrides: required(object(overrides)) });
  return optional(list(one, MAX_MARKETPLACES));
}

const SHARED: Fields = {
  endDateTime: optional(text()),
  portfolioId: optional(ID),
  siteRestrictions: optional(list(choice("PLATFORM_BUSINESS", "PLATFORM_HAUL"), 1)),
  tags: TAGS,
  optimizations: optional(OPTIMIZATIONS),
  countries: optional(list(text(), 249)),
  marketplaces: optional(list(MARKETPLACE, MAX_MARKETPLACES)),
  marketplaceConfigurations: configurations({
    name: optional(text()),
    state: optional(choice("ARCHIVED", "ENABLED", "PAUSED")),
    startDateTime: optional(text()),
    endDateTime: optional(text()),
    tags: TAGS,
    optimizations: optional(OPTIMIZATIONS),
  }),
};

export const GLOBAL_CREATE_FIELDS: Fields = {
  ...SHARED,
  adProduct: required(choice("SPONSORED_PRODUCTS")),
  marketplaceScope: required(choice("GLOBAL")),
  name: required(text()),
  state: required(STATE),
  startDateTime: required(text()),
  autoCreationSettings: required(object({ autoCreateTargets: required(FLAG) })),
  budgets: required(BUDGETS),
};

export const GLOBAL_UPDATE_FIELDS: Fields = {
  ...SHARED,
  campaignId: required(ID),
  name: optional(text()),
  state: optional(STATE),
  startDateTime: optional(text()),
  budgets: optional(BUDGETS),
};

export function amountsOf(item: JsonObject): Map<string, number> {
  const [budget] = objectsIn(item.budgets) ?? [];
  const settings = objectsIn(part(budget, "budgetValue", "monetaryBudgetValue").marketplaceSettings) ?? [];
  return new Map(
    settings.map((setting) => [String(setting.marketplace), Number(part(setting, "monetaryBudget").value)]),
  );
}

export function overridesOf(item: JsonObject): Map<string, JsonObject> {
  const configurations = objectsIn(item.marketplaceConfigurations) ?? [];
  return new Map(configurations.map((one) => [String(one.marketplace), part(one, "overrides")]));
}
