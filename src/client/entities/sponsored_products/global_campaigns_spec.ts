import { GLOBAL_CAMPAIGNS } from "../../../plans/model/prior_state.ts";
import { byName } from "../model/identity.ts";
import { nameLabel } from "../model/label.ts";
import { Resource } from "../resource/resource.ts";
import type { Kind } from "../model/resource_spec.ts";
import type { GlobalCampaign, GlobalCampaignUpdate, NewGlobalCampaign } from "./entities/global_campaigns.ts";
import { GLOBAL_KIND, marketplacesField } from "./global_marketplaces.ts";
import { lateUnified } from "../wire/late_wire.ts";

export const spGlobalCampaigns: Kind<Resource<GlobalCampaign, NewGlobalCampaign, GlobalCampaignUpdate>> = {
  kind: GLOBAL_CAMPAIGNS,
  noun: "global campaign",
  plural: "global campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  ...GLOBAL_KIND,
  updatable: [
    "name",
    "state",
    "startDate",
    "endDate",
    "dynamicBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
    "marketplaces",
  ],
  clearable: ["endDate", "portfolioId"],
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { "marketplaces.*": ["campaignId", "effectiveBudget"] },
  ...marketplacesField({
    noun: "global campaign",
    amount: "budget",
    overrides: ["state", "name", "startDate", "endDate", "dynamicBidding", "tags"],
  }),
  required: ["name", "state", "targetingType", "marketplaces"],
  choices: { targetingType: ["AUTO", "MANUAL"] },
  identity: byName(),
  parents: {},
  columns: ["campaignId", "name", "state", "targetingType", "marketplaces", "startDate"],
  moreFields: [
    "endDate",
    "dynamicBidding.strategy",
    "dynamicBidding.placementBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
  ],
  operations: {
    list: "v1-spglobal-campaigns:SPGlobalQueryCampaign",
    create: "v1-spglobal-campaigns:SPGlobalCreateCampaign",
    update: "v1-spglobal-campaigns:SPGlobalUpdateCampaign",
    delete: "v1-spglobal-campaigns:SPGlobalDeleteCampaign",
  },
  create: (scope) => new Resource(scope, spGlobalCampaigns),
  wire: lateUnified(() => import("../wire/unified/sp_global_unified.ts"), "spGlobalCampaignsUnified"),
};
