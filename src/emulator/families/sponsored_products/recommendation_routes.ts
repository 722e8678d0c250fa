import { Buffer } from "node:buffer";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { Json } from "../../core/json.ts";
import { Random } from "../../core/random.ts";
import { refusal } from "../../http/refusal.ts";
import { checkLocale, readCount, readObject, readTexts } from "../../routing/read_request.ts";
import {
  countProducts,
  listCategories,
  listRefinements,
  recommendCategories,
  recommendNegativeBrands,
  searchNegativeBrands,
} from "./categories.ts";
import { recommendKeywords } from "./recommended_keywords.ts";
import type { Route } from "../../routing/route.ts";

const FIELDS = ["adAsins", "count", "cursor", "locale"];
const MAX_ASINS = 50;
const FOUND = 60;
const THEMES: Readonly<Record<string, string>> = {
  COMPLEMENTS: "Products that shoppers buy together with yours",
  SUBSTITUTES: "Products that shoppers compare with yours",
  TOP_CONVERTING: "Products whose pages lead to sales of your products",
};
const THEME_NAMES = Object.keys(THEMES);
const LETTERS = "0123456789BCDFGHJKLMNPQRSTVWXYZ";

function recommendProducts(context: Context): HttpResponse {
  const body = readObject(context.body, FIELDS);
  const adAsins = readTexts(body.adAsins, "adAsins", MAX_ASINS);
  if (!adAsins.every((asin) => asin.length === 10)) {
    throw refusal(400, "An ASIN has 10 characters", "details");
  }
  checkLocale(body.locale);
  const count = readCount(body.count, "count", { low: 1, high: 1000, otherwise: 50 });
  const start = readCursor(body.cursor);
  const isByTheme = context.responseType.includes(".themes.");
  const found = isByTheme ? byTheme(recommendFor(adAsins)) : recommendFor(adAsins);
  const nextCursor = start + count < found.length ? { nextCursor: writeCursor(start + count) } : {};
  const previousCursor = start > 0 ? { previousCursor: writeCursor(Math.max(0, start - count)) } : {};
  const recommendations = found.slice(start, start + count);
  return jsonResponse(200, { recommendations, ...nextCursor, ...previousCursor }, {
    type: context.responseType,
  });
}

interface Recommended {
  readonly recommendedAsin: string;
  readonly themes: readonly string[];
}

function recommendFor(adAsins: readonly string[]): Recommended[] {
  const random = new Random(`products ${[...adAsins].sort().join(" ")}`);
  return Array.from({ length: FOUND }, () => ({
    recommendedAsin: `B0${
      Array.from({ length: 8 }, () => LETTERS[random.integer(0, LETTERS.length - 1)]).join("")
    }`,
    themes: random.shuffled(THEME_NAMES).slice(0, random.integer(1, 2)),
  }));
}

function byTheme(products: readonly Recommended[]): unknown[] {
  return THEME_NAMES.map((theme) => ({
    theme,
    description: THEMES[theme],
    recommendedAsins: products.filter((each) => each.themes.includes(theme)).map((each) =>
      each.recommendedAsin
    ),
  }));
}

function readCursor(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  const match = /^at (\d{1,4})$/.exec(Buffer.from(String(value), "base64url").toString("latin1"));
  if (match === null) throw refusal(400, "cursor is not valid", "details");
  return Number(match[1]);
}

function writeCursor(position: number): string {
  return Buffer.from(`at ${position}`).toString("base64url");
}

const REQUEST = ["application/vnd.spproducttargeting.v3+json"];
const KEYWORD_TYPES = types("spkeywordsrecommendation", ["v5", "v4", "v3"]);

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
