import { parseJson } from "../../../base/json/json.ts";
import { checkIds } from "../model/check_items.ts";
import { toApi } from "../model/to_api.ts";
import type { Fields } from "../model/resource_wire.ts";
import { askBudgetUsage, type BudgetUsage } from "../resource/budget_usage.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type {
  BudgetRecommendation,
  BudgetRule,
  BudgetRuleEvent,
  CampaignDraft,
  InitialBudget,
} from "../model/sp_budgets.ts";
import type {
  Campaign,
  CampaignUpdate,
  Keyword,
  KeywordUpdate,
  NegativeTarget,
  NegativeTargetUpdate,
  NewCampaign,
  NewKeyword,
  NewNegativeTarget,
  NewTarget,
  Target,
  TargetUpdate,
} from "../model/sp_entities.ts";
import type {
  CategoryRecommendation,
  CategoryRefinements,
  CountRange,
  KeywordRecommendation,
  KeywordRecommendationRequest,
  NamedId,
  ProductFilter,
  ProductRecommendations,
} from "../model/sp_recommendations.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import { pathSegment } from "../../../platform/catalog/path_segment.ts";
import { readBody, VERDICTS_UNREAD } from "../../../platform/transport/unexpected_response.ts";

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

const MEDIA_TYPE = "application/vnd.spkeywordsrecommendation.v5+json";

/**
 * Sponsored Products keywords, and keyword recommendations.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function ideas(us: ProfileClient, asins: string[]): Promise<void> {
 *   for (const { keyword } of await us.sp.keywords.recommendations({ asins })) console.log(keyword);
 * }
 * ```
 */
export class KeywordsResource extends Resource<Keyword, NewKeyword, KeywordUpdate> {
  /**
   * Returns keywords that are recommended for an ad group or for products, best first.
   *
   * @throws {TypeError} unless there is either an ad group with its campaign, or products. Nothing was sent.
   */
  async recommendations(
    question: KeywordRecommendationRequest,
    options: ReadOptions = {},
  ): Promise<KeywordRecommendation[]> {
    const { campaignId, adGroupId, asins, ...rest } = toApi(question);
    const forAdGroup = campaignId !== undefined && adGroupId !== undefined;
    if (forAdGroup === (asins !== undefined)) {
      throw new TypeError("Cannot recommend keywords: give either campaignId and adGroupId, or asins");
    }
    const subject = forAdGroup
      ? { recommendationType: "KEYWORDS_FOR_ADGROUP", campaignId, adGroupId }
      : { recommendationType: "KEYWORDS_FOR_ASINS", asins };
    const response = await this.scope.request("POST", "/sp/targets/keywords/recommendations", {
      json: { ...rest, ...subject },
      contentType: MEDIA_TYPE,
      accept: MEDIA_TYPE,
      idempotent: true,
      signal: options.signal,
    }) as Fields | undefined;
    return (response?.["keywordTargetList"] ?? []) as KeywordRecommendation[];
  }
}

const REQUEST = "application/vnd.spproducttargeting.v3+json";
const MAX_ASINS = 10_000;

/** Options of a request whose response contains localized texts. */
export interface LocaleOptions extends ReadOptions {
  /** Language of names, for example `en_US`. @default the marketplace's own */
  readonly locale?: string | undefined;
}

/**
 * Sponsored Products targeting clauses, with categories and products to choose from.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function categories(us: ProfileClient, asins: string[]): Promise<void> {
 *   for (const { id, name } of await us.sp.targets.categoryRecommendations(asins)) console.log(id, name);
 * }
 * ```
 */
export class TargetsResource extends Resource<Target, NewTarget, TargetUpdate> {
  /**
   * Reads the tree of categories that can be targeted. The platform does not document its nodes; they are returned
   * unchanged.
   */
  async categories(options: LocaleOptions = {}): Promise<unknown> {
    const response = await this.scope.request("GET", "/sp/targets/categories", {
      params: { locale: options.locale },
      accept: "application/vnd.spproducttargetingresponse.v5+json",
      signal: options.signal,
    }) as Fields | undefined;
    const tree = response?.["categoryTree"];
    return typeof tree === "string" ? parseJson(tree) : tree;
  }

  /** Estimates the number of products that pass a filter, as a range. */
  async productCounts(filter: ProductFilter, options: ReadOptions = {}): Promise<CountRange> {
    const response = await this.#post("/sp/targets/products/count", {
      json: toApi(filter),
      accept: "application/vnd.spproducttargetingresponse.v3+json",
      signal: options.signal,
    });
    return (response["asinCounts"] ?? {}) as CountRange;
  }

  /** Reads the properties that narrow the products of a category: brands, ages, genres. */
  async refinements(categoryId: string, options: LocaleOptions = {}): Promise<CategoryRefinements> {
    const category = pathSegment("getRefinementsForCategory", "categoryId", categoryId);
    const response = await this.scope.request("GET", `/sp/targets/category/${category}/refinements`, {
      params: { locale: options.locale },
      accept: "application/vnd.spproducttargetingresponse.v4+json",
      signal: options.signal,
    });
    return (response ?? {}) as CategoryRefinements;
  }

  /**
   * Returns categories that are recommended for ads of the given products.
   *
   * @throws {RangeError} for more than 10,000 products. Nothing was sent.
   */
  async categoryRecommendations(
    asins: readonly string[],
    options: LocaleOptions & { /** With the categories above. @default false */ includeAncestor?: boolean } =
      {},
  ): Promise<CategoryRecommendation[]> {
    if (asins.length > MAX_ASINS) {
      throw new RangeError(
        `Cannot recommend categories for ${asins.length} products: ${MAX_ASINS} are the most`,
      );
    }
    const response = await this.#post("/sp/targets/categories/recommendations", {
      json: { asins, includeAncestor: options.includeAncestor },
      params: { locale: options.locale },
      accept: "application/vnd.spproducttargetingresponse.v5+json",
      signal: options.signal,
    });
    return (response["categories"] ?? []) as CategoryRecommendation[];
  }

  /** Returns a page of products that are recommended for targeting by ads of the given products. */
  async productRecommendations(
    adAsins: readonly string[],
    options: LocaleOptions & {
      /** Products per page. */
      count?: number;
      /** Cursor from the previous page. */
      cursor?: string;
    } = {},
  ): Promise<ProductRecommendations> {
    const { count, cursor, locale, signal } = options;
    const response = await this.#post("/sp/targets/products/recommendations", {
      json: { adAsins, count, cursor, locale },
      contentType: "application/vnd.spproductrecommendation.v3+json",
      accept: "application/vnd.spproductrecommendationresponse.asins.v3+json",
      signal,
    });
    return { recommendations: [], ...response };
  }

  async #post(
    path: string,
    options: {
      json: unknown;
      params?: { locale: string | undefined };
      contentType?: string;
      accept: string;
      signal: AbortSignal | undefined;
    },
  ): Promise<Fields> {
    const response = await this.scope.request("POST", path, {
      contentType: REQUEST,
      idempotent: true,
      ...options,
    });
    return (response ?? {}) as Fields;
  }
}

const ACCEPT = "application/vnd.spproducttargetingresponse.v3+json";

/**
 * Sponsored Products negative targeting clauses of ad groups, and brands to exclude.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function brands(us: ProfileClient): Promise<void> {
 *   for (const { id, name } of await us.sp.negativeTargets.searchBrands("cast iron")) console.log(id, name);
 * }
 * ```
 */
export class NegativeTargetsResource
  extends Resource<NegativeTarget, NewNegativeTarget, NegativeTargetUpdate> {
  /** Reads the brands that the platform recommends excluding. */
  async brandRecommendations(options: ReadOptions = {}): Promise<NamedId[]> {
    const response = await this.scope.request("GET", "/sp/negativeTargets/brands/recommendations", {
      accept: ACCEPT,
      signal: options.signal,
    });
    return (response ?? []) as NamedId[];
  }

  /** Finds brands whose names contain a text. */
  async searchBrands(keyword: string, options: ReadOptions = {}): Promise<NamedId[]> {
    const response = await this.scope.request("POST", "/sp/negativeTargets/brands/search", {
      json: { keyword },
      contentType: "application/vnd.spproducttargeting.v3+json",
      accept: ACCEPT,
      idempotent: true,
      signal: options.signal,
    });
    return (response ?? []) as NamedId[];
  }
}
