import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { Fields } from "../model/resource_wire.ts";
import { toApi } from "../fields/to_api.ts";
import type { KeywordRecommendation, KeywordRecommendationRequest } from "./entities/recommendations.ts";
import type { Keyword, KeywordUpdate, NewKeyword } from "./entities/keywords.ts";

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
