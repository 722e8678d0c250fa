import type { JsonObject } from "../../core/json.ts";
import type { Draft, RuleContext } from "../../entities/entity_resource.ts";
import type { ItemError } from "../../entities/item_error.ts";
import { checkBudget, checkPortfolio } from "../../entities/rules.ts";
import { choice, type Fields, number, NUMERIC_ID, optional, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { invalid, MAX_ITEMS, STATE } from "./common.ts";

const MAX_NAME = 128;
const FIELDS: Fields = {
  name: optional(text({ min: 1, max: MAX_NAME })),
  state: optional(STATE),
  budget: optional(number()),
  budgetType: optional(choice("daily")),
  startDate: optional(text()),
  endDate: optional(text()),
  portfolioId: optional(NUMERIC_ID),
};

/** Dates have no hyphens. */
export const DISPLAY_CAMPAIGNS: FlatResource = {
  kind: "sd.campaigns",
  path: "/sd/campaigns",
  idParam: "campaignId",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  noun: "Campaign",
  operations: {
    list: "sponsored-display:listCampaigns",
    listExtended: "sponsored-display:listCampaignsEx",
    get: "sponsored-display:getCampaign",
    getExtended: "sponsored-display:getCampaignResponseEx",
    create: "sponsored-display:createCampaigns",
    update: "sponsored-display:updateCampaigns",
    archive: "sponsored-display:archiveCampaign",
  },
  createFields: {
    ...FIELDS,
    name: required(text({ min: 1, max: MAX_NAME })),
    budget: required(number()),
    tactic: required(choice("T00020", "T00030")),
    costType: optional(choice("cpc", "vcpm")),
  },
  updateFields: { ...FIELDS, costType: optional(choice("cpc", "vcpm")) },
  clearable: ["endDate", "portfolioId"],
  immutable: ["costType"],
  parents: [],
  idFilters: { campaignIdFilter: "campaignId", portfolioIdFilter: "portfolioId" },
  nameField: "name",
  maxItems: MAX_ITEMS,
  complete: (item, { today }) => ({
    budgetType: "daily",
    costType: item.costType ?? "cpc",
    deliveryProfile: "as_soon_as_possible",
    startDate: item.startDate ?? today.replaceAll("-", ""),
  }),
  rules: checkCampaign,
  notExtended: ["deliveryProfile"],
  live: "ADVERTISER_STATUS_ENABLED",
  statusWord: "CAMPAIGN",
};

function checkCampaign(draft: Draft, context: RuleContext): readonly ItemError[] {
  return [
    ...checkBudget(draft.item.budget, { field: "budget", kind: "sd" }, context),
    ...checkDays(draft, context.today.replaceAll("-", "")),
    ...checkPortfolio(draft, context),
  ];
}

function checkDays({ item, before, after }: Draft, today: string): ItemError[] {
  const changed = (field: string) => item[field] !== undefined && item[field] !== before?.[field];
  for (const field of ["startDate", "endDate"]) {
    if (changed(field) && !isDay(item[field])) return [invalid(field, `${field} must be a day, YYYYMMDD`)];
    if (changed(field) && String(item[field]) < today) return [invalid(field, `${field} is in the past`)];
  }
  if (changed("startDate") && before !== undefined && String(before.startDate) <= today) {
    return [invalid("startDate", "startDate of a campaign that has started cannot be changed")];
  }
  return endsEarly(after) ? [invalid("endDate", "endDate is before startDate")] : [];
}

function endsEarly({ startDate, endDate }: JsonObject): boolean {
  return endDate !== undefined && String(endDate) < String(startDate);
}

function isDay(value: unknown): boolean {
  const found = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value));
  return found !== null && !Number.isNaN(Date.parse(`${found[1]}-${found[2]}-${found[3]}T00:00:00Z`));
}
