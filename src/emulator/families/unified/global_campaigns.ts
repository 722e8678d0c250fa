import { isObject, type JsonObject } from "../../core/json.ts";
import { valuesIn } from "../../entities/filter.ts";
import { PRODUCT_CAMPAIGNS, UNIFIED_CAMPAIGNS } from "./campaigns.ts";
import { momentToDay, part } from "./common.ts";
import { GLOBAL_LIMITS } from "./limits.ts";
import type { GlobalKind } from "./global_kind.ts";
import { amountsOf, GLOBAL_CREATE_FIELDS, GLOBAL_UPDATE_FIELDS } from "./global_shape.ts";

export const GLOBAL_CAMPAIGNS: GlobalKind = {
  unified: {
    ...UNIFIED_CAMPAIGNS,
    filters: {
      ...UNIFIED_CAMPAIGNS.filters,
      marketplaceScopeFilter: valuesIn("marketplaceScope", 1, ["GLOBAL"]),
    },
  },
  noun: "CAMPAIGN",
  collection: "sp.global_campaigns",
  limits: GLOBAL_LIMITS.campaigns!,
  globalId: () => "globalCampaignId",
  sourceOf: () => PRODUCT_CAMPAIGNS,
  createFields: GLOBAL_CREATE_FIELDS,
  updateFields: GLOBAL_UPDATE_FIELDS,
  copied: [
    "name",
    "state",
    "startDateTime",
    "endDateTime",
    "portfolioId",
    "siteRestrictions",
    "tags",
    "optimizations",
  ],
  kept: ["autoCreationSettings"],
  nullable: ["endDateTime", "portfolioId"],
  countriesOf: (item) => [...amountsOf(item).keys()],
  valueIn: (item, marketplace) => {
    const value = amountsOf(item).get(marketplace);
    return value === undefined ? undefined : { budgets: budgetOf(value) };
  },
  valued: (item) => [...amountsOf(item).keys()],
  needs: { field: "budgets[0].budgetValue.monetaryBudgetValue.marketplaceSettings", what: "A budget" },
  shownValues: (copies) => ({
    budgets: [{
      budgetType: "MONETARY",
      recurrenceTimePeriod: "DAILY",
      budgetValue: {
        monetaryBudgetValue: {
          marketplaceSettings: copies.map(({ marketplace, entity, profile }) => ({
            marketplace,
            monetaryBudget: {
              currencyCode: profile.record.currencyCode,
              value: part(entity, "budget").budget ?? 0,
            },
          })),
        },
      },
    }],
  }),
  differences: (whole, { profile, entity, shown, own }) => {
    const isOwnDay = (moment: "startDateTime" | "endDateTime", day: unknown): boolean =>
      day !== undefined && momentToDay(whole[moment], profile) !== day;
    return {
      ...(isOwnDay("startDateTime", entity.startDate) ? { startDateTime: shown.startDateTime! } : {}),
      ...(isOwnDay("endDateTime", entity.endDate) ? { endDateTime: shown.endDateTime! } : {}),
      ...(isObject(own.optimizations) ? { optimizations: part(shown, "optimizations") } : {}),
    };
  },
};

function budgetOf(value: number): JsonObject[] {
  return [{
    budgetType: "MONETARY",
    recurrenceTimePeriod: "DAILY",
    budgetValue: { monetaryBudgetValue: { monetaryBudget: { value } } },
  }];
}
