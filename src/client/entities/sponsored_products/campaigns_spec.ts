import { byName } from "../model/identity.ts";
import { SP_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import { CampaignsResource } from "./campaigns_resource.ts";
import { nameLabel } from "../model/label.ts";
import { budget } from "../model/budget.ts";
import { SP_STATES } from "./sp_states.ts";
import { lateJson, lateUnified } from "../wire/late_wire.ts";

export const spCampaigns: Kind<CampaignsResource> = {
  kind: "sp.campaigns",
  noun: "campaign",
  plural: "campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  updatable: [
    "name",
    "state",
    "budget",
    "startDate",
    "endDate",
    "dynamicBidding",
    "portfolioId",
    "tags",
    "targetingType",
    "siteRestrictions",
  ],
  clearable: ["endDate", "portfolioId"],
  numeric: [],
  ...SP_STATES,
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { budget: ["effectiveBudget"] },
  normalize: (item, existing) => {
    if (item["budget"] === undefined) return item;
    const current = existing?.["budget"] as { budgetType?: string } | undefined;
    return { ...item, budget: budget(item["budget"], current?.budgetType) };
  },
  required: ["name", "state", "targetingType", "budget"],
  choices: { targetingType: ["AUTO", "MANUAL"] },
  identity: byName(),
  parents: {},
  historyType: "CAMPAIGN",
  columns: ["campaignId", "name", "state", "targetingType", "budget.budget", "startDate"],
  moreFields: [
    "budget.budgetType",
    "budget.effectiveBudget",
    "endDate",
    "dynamicBidding.strategy",
    "dynamicBidding.placementBidding",
    "dynamicBidding.shopperCohortBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
    "offPlatformSettings",
    "globalCampaignId",
  ],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaigns",
    create: "sponsored-products:CreateSponsoredProductsCampaigns",
    update: "sponsored-products:UpdateSponsoredProductsCampaigns",
    delete: "sponsored-products:DeleteSponsoredProductsCampaigns",
    budgetUsage: "sponsored-products:spCampaignsBudgetUsage",
    budgetRecommendations: "sponsored-products:getBudgetRecommendations",
    initialBudgetRecommendation: "sponsored-products:getBudgetRecommendation",
    budgetRules: "sponsored-products:ListAssociatedBudgetRulesForSPCampaigns",
    addBudgetRules: "sponsored-products:CreateAssociatedBudgetRulesForSPCampaigns",
    removeBudgetRule: "sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns",
    budgetRuleRecommendations: "sponsored-products:SPGetBudgetRulesRecommendation",
    addOptimizationRules: "sponsored-products:AssociateOptimizationRulesToCampaign",
  },
  create: (scope) => new CampaignsResource(scope, spCampaigns),
  unified: lateUnified(() => import("../wire/unified/sp_unified.ts"), "spCampaignsUnified"),
  wire: lateJson({
    path: "/sp/campaigns",
    mediaType: "application/vnd.spCampaign.v3+json",
    collection: "campaigns",
    idFilter: "campaignIdFilter",
    resultIdField: "campaignId",
  }),
};
