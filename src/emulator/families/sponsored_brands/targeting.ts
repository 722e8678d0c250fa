import { THEMES } from "../../state/demo_themes.ts";
import { isObject, type Json } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { checkLocale, steadyWhole } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { brandsOf, CATEGORIES, type Category, categoryOf } from "../sponsored_products/categories.ts";

const TYPES = ["application/vnd.sbtargeting.v4+json"];
const SOURCES = ["PLATFORM", "STREAMING_VIDEO"];

export const BRANDS_TARGETING_ROUTES: readonly Route[] = [
  get("SBTargetingGetTargetableCategories", "/sb/targets/categories", listCategories),
  get(
    "SBTargetingGetRefinementsForCategory",
    "/sb/targets/categories/{categoryRefinementId}/refinements",
    listRefinements,
  ),
  get("SBTargetingGetNegativeBrands", "/sb/negativeTargets/brands/recommendations", listNegativeBrands),
  {
    operation: "sponsored-brands-v4:SBTargetingGetTargetableASINCounts",
    method: "POST",
    path: "/sb/targets/products/count",
    requestTypes: TYPES,
    responseTypes: TYPES,
    errors: "details",
    handle: countProducts,
  },
];

function get(name: string, path: string, handle: Route["handle"]): Route {
  return {
    operation: `sponsored-brands-v4:${name}`,
    method: "GET",
    path,
    responseTypes: TYPES,
    errors: "details",
    handle,
  };
}

function listCategories({ query, responseType }: Context): HttpResponse {
  checkLocale(query.get("locale"));
  const source = query.get("supplySource");
  if (source === null || !SOURCES.includes(source)) {
    throw refusal(400, `supplySource must be one of ${SOURCES.join(", ")}`, "details");
  }
  const parentId = query.get("parentCategoryRefinementId");
  const onlyRoots = query.get("includeOnlyRootCategories") === "true";
  const found = CATEGORIES.filter((category) =>
    (parentId === null || category.parentId === parentId) && (!onlyRoots || category.parentId === undefined)
  );
  const categoryTree = found.map((category) => ({
    categoryRefinementId: category.id,
    ...(category.parentId === undefined ? {} : { parentCategoryRefinementId: category.parentId }),
    name: category.name,
    translatedName: category.name,
    isTargetable: true,
    asinCountRange: countOf(category, 0),
  }));
  return jsonResponse(200, { categoryTree }, { type: responseType });
}

function listRefinements({ params, query, responseType }: Context): HttpResponse {
  checkLocale(query.get("locale"));
  demandCategory(params.categoryRefinementId);
  const brands = brandsOf(THEMES).map(({ id, name }) => ({ brandRefinementId: id, name }));
  return jsonResponse(200, { ageRanges: [], brands, genres: [] }, { type: responseType });
}

function listNegativeBrands({ responseType }: Context): HttpResponse {
  const brands = brandsOf(THEMES).slice(0, 100).map(({ id, name }) => ({ brandRefinementId: id, name }));
  return jsonResponse(200, { brands }, { type: responseType });
}

function countProducts({ body, responseType }: Context): HttpResponse {
  if (!isObject(body) || typeof body.category !== "string") {
    throw refusal(400, "category is required", "details");
  }
  const lists = ["ageRanges", "brands", "genres"].filter((name) => isFilled(body[name])).length;
  const ranges = ["priceRange", "ratingRange"].filter((name) => isObject(body[name])).length;
  const narrowed = lists + ranges + (body.isPrimeShipping === true ? 1 : 0);
  const asinCounts = countOf(demandCategory(body.category), narrowed);
  return jsonResponse(200, { asinCounts }, { type: responseType });
}

function demandCategory(id: string | undefined): Category {
  const category = categoryOf(id ?? "");
  if (category === undefined) throw refusal(404, `Category ${id} was not found`, "details");
  return category;
}

function countOf(category: Category, narrowed: number): { min: number; max: number } {
  const min = Math.max(1, Math.floor(steadyWhole(`size ${category.id}`, 2_000, 60_000) / 3 ** narrowed));
  return { min, max: Math.ceil(min * 1.25) };
}

function isFilled(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}
