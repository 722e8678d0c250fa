import { recommendNegativeBrands, searchNegativeBrands } from "./brands.ts";
import { countProducts, listCategories, listRefinements, recommendCategories } from "./categories.ts";
import { recommendKeywords } from "./keywords.ts";
import { recommendProducts } from "./products.ts";
import type { Route } from "../../routing/route.ts";

const REQUEST = ["application/vnd.spproducttargeting.v3+json"];
const KEYWORD_TYPES = types("spkeywordsrecommendation", ["v5", "v4", "v3"]);

/** Routes for possible targets, and for recommended targets and negatives. */
export const TARGETING_RECOMMENDATION_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-products:getTargetableCategories",
    method: "GET",
    path: "/sp/targets/categories",
    responseTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: listCategories,
  },
  {
    operation: "sponsored-products:getRefinementsForCategory",
    method: "GET",
    path: "/sp/targets/category/{categoryId}/refinements",
    responseTypes: types("spproducttargetingresponse", ["v4", "v3"]),
    errors: "details",
    handle: listRefinements,
  },
  {
    operation: "sponsored-products:getTargetableASINCounts",
    method: "POST",
    path: "/sp/targets/products/count",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: countProducts,
  },
  {
    operation: "sponsored-products:getCategoryRecommendationsForASINs",
    method: "POST",
    path: "/sp/targets/categories/recommendations",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v5", "v4", "v3"]),
    errors: "details",
    handle: recommendCategories,
  },
  {
    operation: "sponsored-products:getProductRecommendations",
    method: "POST",
    path: "/sp/targets/products/recommendations",
    requestTypes: types("spproductrecommendation", ["v3"]),
    responseTypes: types("spproductrecommendationresponse", ["asins.v3", "themes.v3"]),
    errors: "details",
    handle: recommendProducts,
  },
  {
    operation: "sponsored-products:getRankedKeywordRecommendation",
    method: "POST",
    path: "/sp/targets/keywords/recommendations",
    requestTypes: KEYWORD_TYPES,
    responseTypes: KEYWORD_TYPES,
    errors: "details",
    typedErrors: true,
    handle: recommendKeywords,
  },
  {
    operation: "sponsored-products:getNegativeBrands",
    method: "GET",
    path: "/sp/negativeTargets/brands/recommendations",
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: recommendNegativeBrands,
  },
  {
    operation: "sponsored-products:searchBrands",
    method: "POST",
    path: "/sp/negativeTargets/brands/search",
    requestTypes: REQUEST,
    responseTypes: types("spproducttargetingresponse", ["v3"]),
    errors: "details",
    handle: searchNegativeBrands,
  },
];

function types(name: string, versions: readonly string[]): string[] {
  return versions.map((version) => `application/vnd.${name}.${version}+json`);
}
