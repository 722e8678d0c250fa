import { nameLabel } from "../label.ts";
import { jsonWire } from "../json_wire.ts";
import { budget } from "../budget.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import { SP_STATES } from "./sp_states.ts";

/** Sponsored Products campaigns. */
export const spCampaigns: ResourceSpec = {
  kind: "sp.campaigns",
  noun: "campaign",
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
  numeric: [],
  ...SP_STATES,
  filters: ["name", "extended"],
  label: nameLabel,
  computed: { budget: ["effectiveBudget"] },
  normalize: (item, existing) => {
    if (item["budget"] === undefined) return item;
    const current = existing?.["budget"] as { budgetType?: string } | undefined;
    return { ...item, budget: budget(item["budget"], current?.budgetType) };
  },
  wire: jsonWire({
    path: "/sp/campaigns",
    mediaType: "application/vnd.spCampaign.v3+json",
    collection: "campaigns",
    idFilter: "campaignIdFilter",
    resultIdField: "campaignId",
  }),
};
