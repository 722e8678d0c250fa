import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { askBudgetUsage, type BudgetUsage } from "../resource/budget_usage.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { NewSdCampaign, SdCampaign, SdCampaignUpdate } from "./entities.ts";
import { byName } from "../model/identity.ts";
import { nameLabel } from "../model/label.ts";
import type { Kind } from "../model/resource_spec.ts";
import { SD_EXTENDED_FIELDS, SD_STATES, sdWire, withSdWords } from "./sd_wire.ts";
import { lateUnified } from "../wire/late_wire.ts";

/**
 * Sponsored Display campaigns, with budget usage.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function spent(us: ProfileClient, campaignIds: string[]): Promise<void> {
 *   const usage = await us.sd.campaigns.budgetUsage(campaignIds);
 *   for (const { entity } of usage.successes) console.log(entity);
 * }
 * ```
 */
export class SdCampaignsResource extends Resource<SdCampaign, NewSdCampaign, SdCampaignUpdate> {
  /** Reads budget usage of campaigns; each success contains it in `entity`. */
  budgetUsage(
    campaignIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string, BudgetUsage>> {
    return askBudgetUsage(this.scope, campaignIds, {
      path: "/sd/campaigns/budget/usage",
      mediaType: "application/vnd.sdcampaignbudgetusage.v1+json",
      spec: this.spec,
      signal: options.signal,
    });
  }
}

const ID_FIELDS = ["campaignId", "portfolioId"];

/** The kind `sd.campaigns`. The budget is a plain number per day, and dates have no hyphens. */
export const sdCampaigns: Kind<SdCampaignsResource> = {
  kind: "sd.campaigns",
  noun: "Display campaign",
  plural: "Display campaigns",
  idField: "campaignId",
  idFields: ID_FIELDS,
  integerIds: true,
  updatable: ["name", "state", "budget", "startDate", "endDate", "portfolioId", "tags"],
  clearable: ["endDate", "portfolioId", "tags"],
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
  moreFields: ["endDate", "budgetType", "portfolioId", "deliveryProfile", "ruleBasedBudget", "tags"],
  extendedFields: SD_EXTENDED_FIELDS,
  operations: {
    list: ["sponsored-display:listCampaigns", "sponsored-display:listCampaignsEx"],
    create: "sponsored-display:createCampaigns",
    update: "sponsored-display:updateCampaigns",
    delete: "sponsored-display:archiveCampaign",
    budgetUsage: "sponsored-display:sdCampaignsBudgetUsage",
  },
  create: (scope) => new SdCampaignsResource(scope, sdCampaigns),
  unified: lateUnified(() => import("../wire/unified/sd_unified.ts"), "sdCampaignsUnified", {
    lost: () => ["tactic", "deliveryProfile"],
  }),
  wire: sdWire({
    path: "/sd/campaigns",
    idField: "campaignId",
    idFields: ID_FIELDS,
    // There is one kind of budget.
    toCreate: (campaign) => ({ budgetType: "daily", ...campaign }),
    hasTags: false,
  }),
};
