import { pathSegment } from "../../../platform/catalog/path_segment.ts";
import { parseJson } from "../../../base/json/json.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { Fields } from "../model/resource_wire.ts";
import { toApi } from "../fields/to_api.ts";
import type {
  CategoryRecommendation,
  CategoryRefinements,
  CountRange,
  ProductFilter,
  ProductRecommendations,
} from "./entities/recommendations.ts";
import type { NewTarget, Target, TargetUpdate } from "./entities/targets.ts";

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
