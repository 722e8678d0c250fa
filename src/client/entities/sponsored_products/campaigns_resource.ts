import { readBody, VERDICTS_UNREAD } from "../../../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import { pathSegment } from "../../../platform/catalog/path_segment.ts";
import { askBudgetUsage, type BudgetUsage } from "../resource/budget_usage.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { Fields } from "../model/resource_wire.ts";
import { checkIds } from "../fields/check_items.ts";
import { toApi } from "../fields/to_api.ts";
import type {
  BudgetRecommendation,
  BudgetRule,
  BudgetRuleEvent,
  CampaignDraft,
  InitialBudget,
} from "./entities/budgets.ts";
import type { Campaign, CampaignUpdate, NewCampaign } from "./entities/campaigns.ts";

const RULES_A_REQUEST = 25;

/**
 * Sponsored Products campaigns, with budget usage, budget recommendations and rules.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function spent(us: ProfileClient, campaignIds: string[]): Promise<void> {
 *   const usage = await us.sp.campaigns.budgetUsage(campaignIds);
 *   for (const { entity } of usage.successes) console.log(entity);
 *   const better = await us.sp.campaigns.budgetRecommendations(campaignIds);
 *   console.log(better.summary());
 * }
 * ```
 */
export class CampaignsResource extends Resource<Campaign, NewCampaign, CampaignUpdate> {
  /** Reads budget usage of campaigns; each success contains it in `entity`. */
  budgetUsage(
    campaignIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string, BudgetUsage>> {
    return askBudgetUsage(this.scope, campaignIds, {
      path: "/sp/campaigns/budget/usage",
      mediaType: "application/vnd.spcampaignbudgetusage.v1+json",
      spec: this.spec,
      signal: options.signal,
    });
  }

  /** Reads the platform's recommended budgets for campaigns; each success contains one in `entity`. */
  async budgetRecommendations(
    campaignIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string, BudgetRecommendation>> {
    checkIds(this.spec, campaignIds);
    const given = [...campaignIds];
    const { askEach } = await import("../resource/ask_each.ts");
    return await askEach(given, {
      limit: 100,
      spec: this.spec,
      ask: async (part) => {
        const response = await this.#ask<Fields>("/sp/campaigns/budgetRecommendations", {
          json: { campaignIds: part },
          mediaType: "application/vnd.budgetrecommendation.v3+json",
          ...options,
        });
        const refused = (response["budgetRecommendationsErrorResults"] ?? []) as Fields[];
        return {
          success: (response["budgetRecommendationsSuccessResults"] ?? []) as Fields[],
          error: refused.map(({ Error: error, ...entry }) => ({ ...entry, ...error as Fields })),
        };
      },
    });
  }

  /** Reads the platform's recommended budget for a campaign that does not exist yet. */
  initialBudgetRecommendation(sketch: CampaignDraft, options: ReadOptions = {}): Promise<InitialBudget> {
    return this.#ask("/sp/campaigns/initialBudgetRecommendation", {
      json: toApi(sketch),
      mediaType: "application/vnd.spinitialbudgetrecommendation.v3.4+json",
      ...options,
    });
  }

  /** Reads the budget rules that apply to a campaign. */
  async budgetRules(campaignId: string, options: ReadOptions = {}): Promise<BudgetRule[]> {
    const response = await this.scope.request("GET", rulesPath(campaignId), options) as Fields | undefined;
    return (response?.["associatedRules"] ?? []) as BudgetRule[];
  }

  /** Associates budget rules with a campaign; returns a verdict for each rule. */
  addBudgetRules(
    campaignId: string,
    ruleIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string>> {
    const path = rulesPath(campaignId);
    return this.#addRules(ruleIds, {
      ...options,
      send: (budgetRuleIds) => this.scope.request("POST", path, { json: { budgetRuleIds }, ...options }),
    });
  }

  /** Removes a budget rule from a campaign. */
  async removeBudgetRule(campaignId: string, ruleId: string, options: ReadOptions = {}): Promise<void> {
    const rule = pathSegment("DisassociateAssociatedBudgetRuleForSPCampaigns", "budgetRuleId", ruleId);
    await this.scope.request("DELETE", `${rulesPath(campaignId)}/${rule}`, { idempotent: true, ...options });
  }

  /** Reads the days for which the platform recommends a budget rule for a campaign. */
  async budgetRuleRecommendations(campaignId: string, options: ReadOptions = {}): Promise<BudgetRuleEvent[]> {
    const response = await this.#ask<Fields>("/sp/campaigns/budgetRules/recommendations", {
      json: { campaignId },
      mediaType: "application/vnd.spbudgetrulesrecommendation.v3+json",
      ...options,
    });
    return (response["recommendedBudgetRuleEvents"] ?? []) as BudgetRuleEvent[];
  }

  /** Associates optimization rules with a campaign; returns a verdict for each rule. */
  addOptimizationRules(
    campaignId: string,
    ruleIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string>> {
    const mediaType = "application/vnd.spoptimizationrules.v1+json";
    const campaign = pathSegment("AssociateOptimizationRulesToCampaign", "campaignId", campaignId);
    return this.#addRules(ruleIds, {
      ...options,
      send: (optimizationRuleIds) =>
        this.scope.request("POST", `/sp/campaigns/${campaign}/optimizationRules`, {
          json: { optimizationRuleIds },
          contentType: mediaType,
          accept: mediaType,
          ...options,
        }),
    });
  }

  async #addRules(
    ruleIds: readonly string[],
    { send, signal }: ReadOptions & { send: (ruleIds: readonly string[]) => Promise<unknown> },
  ): Promise<BatchResult<string>> {
    const given = [...ruleIds];
    const [{ sendOnce }, { writeBatch }] = await Promise.all([
      import("../resource/send_once.ts"),
      import("../resource/write_batch.ts"),
    ]);
    const verdicts = sendOnce(given, { signal }, (unique, options) =>
      writeBatch(unique, {
        ...options,
        limit: RULES_A_REQUEST,
        send: async (part) => {
          const response = await send(part);
          const verdicts = (response as Fields | undefined)?.["responses"] ?? response;
          return readBody(response, VERDICTS_UNREAD, () => parseMultiStatus(verdicts, part));
        },
        resendInternalErrors: true,
        transport: this.scope.transport,
      }));
    return await verdicts as BatchResult<string>;
  }

  async #ask<Body>(
    path: string,
    { json, mediaType, signal }: ReadOptions & { json: unknown; mediaType: string },
  ): Promise<Body> {
    const media = { contentType: mediaType, accept: mediaType };
    const response = await this.scope.request("POST", path, { json, ...media, idempotent: true, signal });
    return (response ?? {}) as Body;
  }
}

function rulesPath(campaignId: string): string {
  const campaign = pathSegment("ListAssociatedBudgetRulesForSPCampaigns", "campaignId", campaignId);
  return `/sp/campaigns/${campaign}/budgetRules`;
}
