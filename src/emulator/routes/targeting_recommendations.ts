import { recommendNegativeBrands, searchNegativeBrands } from "../recommendations/brands.ts";
import {
  answerCategories,
  answerCategoryRecommendations,
  answerProductCounts,
  answerRefinements,
} from "../recommendations/categories.ts";
import { answerKeywordRecommendations } from "../recommendations/keywords.ts";
import { answerProductRecommendations } from "../recommendations/products.ts";
import type { Route } from "../route.ts";

const REQUEST = ["application/vnd.spproducttargeting.v3+json"];
const KEYWORD_TYPES = types("spkeywordsrecommendation", ["v5", "v4", "v3"]);

/** What can be targeted, and what is worth targeting or keeping out. */
export const TARGETING_RECOMMENDATION_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-products:getTargetableCategories",
    method: "GET",
    path: "/sp/targets/categories",
    answerTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: answerCategories,
  },
  {
    operation: "sponsored-products:getRefinementsForCategory",
    method: "GET",
    path: "/sp/targets/category/{categoryId}/refinements",
    answerTypes: types("spproducttargetingresponse", ["v4", "v3"]),
    errors: "details",
    handle: answerRefinements,
  },
  {
    operation: "sponsored-products:getTargetableASINCounts",
    method: "POST",
    path: "/sp/targets/products/count",
    requestTypes: REQUEST,
    answerTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: answerProductCounts,
  },
  {
    operation: "sponsored-products:getCategoryRecommendationsForASINs",
    method: "POST",
    path: "/sp/targets/categories/recommendations",
    requestTypes: REQUEST,
    answerTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: answerCategoryRecommendations,
  },
  {
    operation: "sponsored-products:getProductRecommendations",
    method: "POST",
    path: "/sp/targets/products/recommendations",
    requestTypes: types("spproductrecommendation", ["v3"]),
    answerTypes: types("spproductrecommendationresponse", ["asins.v3", "themes.v3"]),
    errors: "details",
    handle: answerProductRecommendations,
  },
  {
    operation: "sponsored-products:getRankedKeywordRecommendation",
    method: "POST",
    path: "/sp/targets/keywords/recommendations",
    requestTypes: KEYWORD_TYPES,
    answerTypes: KEYWORD_TYPES,
    errors: "details",
    handle: answerKeywordRecommendations,
  },
  {
    operation: "sponsored-products:getNegativeBrands",
    method: "GET",
    path: "/sp/negativeTargets/brands/recommendations",
    answerTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: recommendNegativeBrands,
  },
  {
    operation: "sponsored-products:searchBrands",
    method: "POST",
    path: "/sp/negativeTargets/brands/search",
    requestTypes: REQUEST,
    answerTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: searchNegativeBrands,
  },
];

function types(name: string, versions: readonly string[]): string[] {
  return versions.map((version) => `application/vnd.${name}.${version}+json`);
}
