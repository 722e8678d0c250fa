import { byName } from "../fields/identity.ts";
import { nameLabel } from "../fields/label.ts";
import type { Kind } from "../kind.ts";
import { SdCampaignsResource } from "./sd_campaigns_resource.ts";
import { SD_STATES } from "./sd_states.ts";
import { SD_EXTENDED_FIELDS, sdWire } from "./sd_wire.ts";
import { withSdWords } from "./sd_words.ts";

const ID_FIELDS = ["campaignId", "portfolioId"];

/** Sponsored Display campaigns; their budget is a plain number for a day, their days have no hyphens. */
export const sdCampaigns: Kind<SdCampaignsResource> = {
  kind: "sd.campaigns",
  noun: "Display campaign",
  plural: "Display campaigns",
  idField: "campaignId",
  idFields: ID_FIELDS,
  integerIds: true,
  updatable: ["name", "state", "budget", "startDate", "endDate", "portfolioId"],
  clearable: ["endDate", "portfolioId"],
  numeric: ["budget"],
  ...SD_STATES,
  filters: ["name", "extended"],
  label: nameLabel,
  normalize: withSdWords,
  required: ["name", "budget", "tactic"],
  choices: { budgetType: ["daily"], costType: ["cpc", "vcpm"], tactic: ["T00020", "T00030"] },
  identity: byName(),
  parents: {},
  columns: ["campaignId", "name", "state", "budget", "tactic", "costType", "startDate"],
  moreFields: ["endDate", "budgetType", "portfolioId", "deliveryProfile", "ruleBasedBudget"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listCampaigns", "sponsored-display:listCampaignsEx"],
    create: "sponsored-display:createCampaigns",
    update: "sponsored-display:updateCampaigns",
    delete: "sponsored-display:archiveCampaign",
    budgetUsage: "sponsored-display:sdCampaignsBudgetUsage",
  },
  create: (scope) => new SdCampaignsResource(scope, sdCampaigns),
  wire: sdWire({
    path: "/sd/campaigns",
    idField: "campaignId",
    idFields: ID_FIELDS,
    // There is one kind of budget.
    toCreate: (campaign) => ({ budgetType: "daily", ...campaign }),
  }),
};
