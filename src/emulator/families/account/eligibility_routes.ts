import type { JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import { readObject } from "../../routing/read_request.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";

const FIELDS = ["adType", "locale", "productDetailsList"];
const PRODUCT_FIELDS = ["asin", "globalStoreSetting", "sku"];
const AD_TYPES = ["dsp", "sb", "sd", "sp"];
const MAX_PRODUCTS = 50;
const OUT_OF_STOCK_SHARE = 25;

export const ELIGIBILITY_ROUTES: readonly Route[] = [{
  operation: "eligibility:productEligibility",
  method: "POST",
  path: "/eligibility/product/list",
  requestTypes: ["application/json"],
  responseTypes: ["application/json"],
  errors: "details",
  handle: respond,
}];

function respond({ body, profile, state, responseType }: Context): HttpResponse {
  const { productDetailsList: listed, adType } = readObject(body, FIELDS);
  if (adType !== undefined && !AD_TYPES.includes(String(adType))) {
    throw refusal(400, `adType must be one of ${AD_TYPES.join(", ")}`, "details");
  }
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_PRODUCTS) {
    throw refusal(400, `productDetailsList must be a list of 1 to ${MAX_PRODUCTS} products`, "details");
  }
  const missing = outOfStock(profile, state.seed);
  const productResponseList = listed.map((given) => {
    const product = readObject(given, PRODUCT_FIELDS);
    if (typeof product.asin !== "string" || !/^[A-Z0-9]{10}$/.test(product.asin)) {
      throw refusal(400, "asin must be an ASIN", "details");
    }
    return verdict(product, missing.has(product.asin));
  });
  return jsonResponse(200, { productResponseList }, { type: responseType });
}

function verdict(productDetails: JsonObject, isMissing: boolean): JsonObject {
  if (!isMissing) return { productDetails, overallStatus: "ELIGIBLE", eligibilityStatusList: [] };
  return {
    productDetails,
    overallStatus: "INELIGIBLE",
    eligibilityStatusList: [{
      name: "OUT_OF_STOCK",
      severity: "INELIGIBLE",
      message: "The product is out of stock.",
    }],
  };
}

function outOfStock(profile: ProfileState, seed: string): ReadonlySet<string> {
  const ads = ["sp.product_ads", "sd.product_ads"].flatMap((kind) => profile.collection(kind).all());
  const asins = ads.filter(({ asin, state }) => typeof asin === "string" && /^enabled$/i.test(String(state)))
    .map(({ asin }) => String(asin));
  const drawn = [...new Set(asins)].map((asin) => ({ asin, lot: hash(`${seed} stock ${asin}`) >>> 0 }))
    .sort((a, b) => a.lot - b.lot);
  const short = drawn.filter(({ lot }, at) => at === 0 || lot % OUT_OF_STOCK_SHARE === 0);
  return new Set(short.map(({ asin }) => asin));
}
