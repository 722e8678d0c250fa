import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { NegativeTarget, NegativeTargetUpdate, NewNegativeTarget } from "./entities/targets.ts";
import type { NamedId } from "./entities/recommendations.ts";

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
