import type { AccountRecommendation } from "../../account/jobs/account_recommendations.ts";
import { MARKETPLACES, normalizeCountry } from "../../base/markets/markets.ts";
import { requireOneOf } from "../../base/text/nearest.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

const AD_PRODUCTS = [
  "FULL_FUNNEL",
  "SPONSORED_BRANDS",
  "SPONSORED_DISPLAY",
  "SPONSORED_PRODUCTS",
  "SPONSORED_TELEVISION",
];
const TYPES = ["AUTOMATIC_GLOBAL_ADS_ENROLLMENT"];

export interface RecommendationRow extends AccountRecommendation {
  /** Number of recommended objects. */
  readonly objects: number;
  readonly reasons: string;
}

export const recommendations = defineOperation<ReadContext, readonly RecommendationRow[]>()({
  name: "account recommendations",
  isForPeople: true,
  effect: "read",
  title: "List recommendations",
  summary: "List the platform's recommendations for the account",
  details:
    "Covers the account behind the profile, in all its countries. Read-only: apply a recommendation in the " +
    "platform's console or with a plan. --json lists the campaigns and other objects of each.",
  brief: "The platform's own recommendations for the account behind the profile, in all its countries.",
  examples: [
    { input: {}, about: "list recommendations with reasons and object counts" },
    { input: { ad_products: ["SPONSORED_PRODUCTS"] }, about: "list those of one ad product" },
  ],
  library: "await readRecommendations(profile)",
  input: {
    ad_products: {
      type: "codes",
      known: AD_PRODUCTS,
      value: "products",
      help: "only these ad products, for example SPONSORED_PRODUCTS",
    },
    types: {
      type: "codes",
      known: TYPES,
      value: "types",
      help: "only these types",
    },
    marketplaces: {
      type: "words",
      value: "countries",
      help: "only these countries, for example US,GB",
    },
    language: {
      type: "text",
      value: "locale",
      help: "language of the texts, for example en_US",
    },
  },
  check({ marketplaces = [] }, { field }) {
    for (const country of marketplaces) {
      requireOneOf(field("marketplaces"), normalizeCountry(country), MARKETPLACES);
    }
  },
  async run({ profile, signal }, { ad_products: adProducts, types, marketplaces, language }) {
    const { readRecommendations } = await import("../../account/jobs/account_recommendations.ts");
    const found = await readRecommendations(profile, { adProducts, types, marketplaces, language, signal });
    return found.map((one) => ({
      ...one,
      objects: one.recommendedObjects.length,
      reasons: (one.recommendationInsight?.insightTexts ?? []).map(({ value }) => value).join("; "),
    }));
  },
});
