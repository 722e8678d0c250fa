import type { BatchResult } from "../../batch/batch_result.ts";
import { askBudgetUsage, type BudgetUsage } from "../budget_usage.ts";
import { type ReadOptions, Resource } from "../resource.ts";
import type { NewSdCampaign, SdCampaign, SdCampaignUpdate } from "./entities/sd_campaign.ts";

/**
 * Sponsored Display campaigns, and how much of their budgets is spent.
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
  /** Reads the spent shares of campaigns' budgets; `entity` of each success holds them. */
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
