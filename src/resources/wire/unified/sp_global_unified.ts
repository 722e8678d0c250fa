import { fieldsOf } from "../../../internal/fields_of.ts";
import { normalizeCountry, timeZoneOf } from "../../../markets.ts";
import type { Fields, ResourceWire } from "../resource_wire.ts";
import { day, marketplaceWord, state, TAGS, words } from "./forms.ts";
import { budgetEntry, SP_GLOBAL_BIDDING } from "./sp_forms.ts";
import { spExtended } from "./sp_unified.ts";
import {
  FieldTable,
  NotOnWire,
  type UnifiedField,
  type UnifiedForm,
  type WirePlace,
} from "./unified_field.ts";
import { unifiedWire } from "./unified_wire.ts";

/** Fields that a marketplace can have otherwise than the campaign as a whole. */
const OVERRIDES: readonly UnifiedField[] = [
  { own: "name", wire: "name" },
  { own: "state", wire: "state", form: state("upper") },
  { own: "startDate", wire: "startDateTime", form: day("start") },
  { own: "endDate", wire: "endDateTime", form: day("end") },
  { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
  TAGS,
];
const OVERRIDE_TABLE = new FieldTable(OVERRIDES);

/**
 * Budget and overrides in each marketplace: one object by country for us; amounts in one list and overrides in another
 * there, days by the time zone of each marketplace.
 */
const MARKETPLACES: UnifiedForm = {
  toWire: (value, place, op) => {
    const settings: Fields[] = [];
    const configurations: Fields[] = [];
    const problems: string[] = [];
    const countries = Object.keys(fieldsOf(value));
    for (const country of countries) {
      const { budget, campaignId: _, ...rest } = fieldsOf(fieldsOf(value)[country]);
      // An archived copy takes no change, and nothing but a delete archives one.
      if (op === "update" && rest["state"] === "ARCHIVED") continue;
      const marketplace = marketplaceWord(country);
      if (budget !== undefined) settings.push({ marketplace, monetaryBudget: { value: budget } });
      const found = OVERRIDE_TABLE.toWire(rest, placeIn(country, place), op);
      problems.push(...found.problems.map(({ message }) => `${country}: ${message}`));
      if (Object.keys(found.body).length > 0) configurations.push({ marketplace, overrides: found.body });
    }
    if (problems.length > 0) throw new NotOnWire(problems.join("; "));
    return {
      ...(op === "create" ? { marketplaces: countries.map(marketplaceWord) } : {}),
      ...(settings.length === 0
        ? {}
        : { budgets: [budgetEntry({ marketplaceSettings: settings }, "DAILY")] }),
      ...(configurations.length === 0 ? {} : { marketplaceConfigurations: configurations }),
    };
  },
  toOwn: (campaign, place) => {
    const { marketplaces, budgets, marketplaceConfigurations } = fieldsOf(campaign);
    const [budget] = listOf(budgets);
    const { monetaryBudgetValue } = fieldsOf(fieldsOf(budget)["budgetValue"]);
    const found = new Map<string, Fields>();
    const at = (word: unknown): Fields => {
      const country = normalizeCountry(String(word));
      const there = found.get(country) ?? {};
      found.set(country, there);
      return there;
    };
    for (const word of Array.isArray(marketplaces) ? marketplaces : []) at(word);
    for (
      const { marketplace, monetaryBudget } of listOf(fieldsOf(monetaryBudgetValue)["marketplaceSettings"])
    ) {
      const { value, ruleValue } = fieldsOf(monetaryBudget);
      Object.assign(at(marketplace), {
        budget: value,
        ...(ruleValue === undefined ? {} : { effectiveBudget: ruleValue }),
      });
    }
    for (const { marketplace, campaignId, overrides } of listOf(marketplaceConfigurations)) {
      const there = at(marketplace);
      const country = normalizeCountry(String(marketplace));
      Object.assign(
        there,
        campaignId === undefined ? {} : { campaignId },
        OVERRIDE_TABLE.toOwn(fieldsOf(overrides), placeIn(country, place)),
      );
    }
    return found.size === 0 ? undefined : Object.fromEntries(found);
  },
};

function placeIn(countryCode: string, { today, now }: WirePlace): WirePlace {
  return { countryCode, timeZone: timeZoneOf({ countryCode }), today, now };
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Sponsored Products campaigns of a global account. */
export const spGlobalCampaignsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_PRODUCTS",
  entity: "campaigns",
  isGlobal: true,
  operations: ["v1-spglobal-campaigns:SPGlobal", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    { own: "name", wire: "name" },
    { own: "state", wire: "state", form: state("upper") },
    {
      own: "targetingType",
      wire: "autoCreationSettings.autoCreateTargets",
      form: words("targetingType", { AUTO: true, MANUAL: false }),
      sent: "create",
    },
    { own: "startDate", wire: "startDateTime", form: day("start") },
    { own: "endDate", wire: "endDateTime", form: day("end"), clearable: true },
    { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    TAGS,
    { own: "siteRestrictions", wire: "siteRestrictions" },
    {
      own: "marketplaces",
      wire: "",
      makes: ["marketplaces", "budgets", "marketplaceConfigurations"],
      form: MARKETPLACES,
    },
  ],
  extendedFields: spExtended("CAMPAIGN_STATUS_ENABLED"),
  constants: { marketplaceScope: "GLOBAL" },
  // The present moment is today in every time zone; the first one of a day is yesterday west of it.
  defaults: ({ now }) => ({ startDateTime: new Date(now).toISOString() }),
  filters: { marketplaceScopeFilter: { include: ["GLOBAL"] } },
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: {
    write: 1000,
    archive: 1000,
    page: 5000,
    ids: 1000,
    campaignIds: 100,
    adGroupIds: 100,
    states: 3,
  },
});
