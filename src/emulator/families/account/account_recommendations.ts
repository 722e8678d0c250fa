import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { includedTexts } from "../../entities/filter.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { inUnifiedWords, refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { accountIdOf, countryWord, profilesAt } from "../reporting1/advertiser_accounts.ts";
import { pageOf, readPageSize } from "../unified/query.ts";

const ENROLLMENT = "AUTOMATIC_GLOBAL_ADS_ENROLLMENT";
const LANGUAGE = "en_US";
const PAGE = 100;
const MAX_ACCOUNTS = 2000;
const MAX_OBJECTS = 1000;
const MAX_DETAILS = 30;
const AD_PRODUCTS = [
  "FULL_FUNNEL",
  "PLATFORM_DSP",
  "RMS",
  "SPONSORED_BRANDS",
  "SPONSORED_DISPLAY",
  "SPONSORED_PRODUCTS",
  "SPONSORED_TELEVISION",
];

interface RecommendationFilter {
  readonly most: number;
  readonly known?: readonly string[];
  readonly of: (found: Found) => string;
}

interface Found {
  readonly recommendation: JsonObject;
  readonly country: string;
}

const FILTERS: Readonly<Record<string, RecommendationFilter>> = {
  adProductFilter: { most: 7, known: AD_PRODUCTS, of: (found) => String(found.recommendation.adProduct) },
  languageFilter: { most: 1, of: (found) => String(found.recommendation.language) },
  marketplacesFilter: { most: 26, of: ({ country }) => country },
  recommendationTypeFilter: {
    most: 30,
    known: [ENROLLMENT],
    of: (found) => String(found.recommendation.recommendationType),
  },
};

export const ACCOUNT_RECOMMENDATION_ROUTE: Route = {
  operation: "v1-all-recommendations:QueryRecommendation",
  method: "POST",
  path: "/adsApi/v1/query/recommendations",
  requestTypes: ["application/json"],
  responseTypes: ["application/json"],
  scoped: false,
  errors: "unified",
  handle: (context) => inUnifiedWords(() => queryRecommendations(context)),
};

function queryRecommendations(context: Context): HttpResponse {
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { accessRequestedAccounts, nextToken, maxResults, recommendationTypeDetailsFilter, ...filters } =
    body;
  demandDetails(recommendationTypeDetailsFilter);
  const passes = Object.entries(filters).map(([name, value]) => readFilter(name, value));
  const size = readPageSize(maxResults, PAGE);
  const found = profilesOf(accessRequestedAccounts, context).flatMap(recommendationsFor)
    .filter((one) => passes.every((pass) => pass(one)));
  const identity = `recommendations ${
    writeJson({ accessRequestedAccounts: accessRequestedAccounts!, filters })
  }`;
  const { items, more } = pageOf(found, { size, nextToken, identity }, context);
  const recommendations = items.map(({ recommendation }) => recommendation);
  return jsonResponse(200, { recommendations, totalResults: found.length, ...more });
}

/**
 * Checks only that the details filter has a valid number of items, because the published type has no further details.
 */
function demandDetails(value: Json | undefined): void {
  if (value === undefined) return;
  const include = isObject(value) ? value.include : undefined;
  if (!Array.isArray(include) || include.length === 0 || include.length > MAX_DETAILS) {
    throw refusal(400, `recommendationTypeDetailsFilter must include 1 to ${MAX_DETAILS} items`);
  }
}

function readFilter(name: string, value: Json | undefined): (found: Found) => boolean {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`);
  }
  const { most, known, of } = filter;
  const included = includedTexts(value, name, most);
  const unknown = included.find((text) => known?.includes(text) === false);
  if (unknown !== undefined) {
    throw refusal(
      400,
      `${name} includes invalid values: (${unknown}). Allowed values: (${known!.join(", ")})`,
    );
  }
  return (found) => included.includes(of(found));
}

function profilesOf(accounts: Json | undefined, context: Context): ProfileState[] {
  if (!Array.isArray(accounts) || accounts.length === 0 || accounts.length > MAX_ACCOUNTS) {
    throw refusal(400, `accessRequestedAccounts must name 1 to ${MAX_ACCOUNTS} accounts`);
  }
  const profiles = profilesAt(context);
  return accounts.flatMap((account) => {
    const id = isObject(account) ? account.advertiserAccountId : undefined;
    if (typeof id !== "string") throw refusal(400, "advertiserAccountId must be a text");
    const own = profiles.filter((profile) => accountIdOf(profile) === id);
    if (own.length === 0) throw refusal(403, `Account ${id} was not found`);
    return own;
  });
}

/**
 * Recommends enrolling enabled campaigns that are not yet part of a global campaign. Only sellers' accounts can be
 * global.
 */
function recommendationsFor(profile: ProfileState): Found[] {
  const { accountInfo, countryCode } = profile.record;
  const country = countryWord(countryCode);
  const campaigns = profile.collection("sp.campaigns").all().filter(({ state, globalCampaignId }) =>
    state === "ENABLED" && globalCampaignId === undefined
  );
  if (accountInfo.type !== "seller" || campaigns.length === 0) return [];
  const moments = campaigns.map(({ extendedData }) =>
    String((extendedData as JsonObject).lastUpdateDateTime)
  );
  const newest = moments.reduce((one, other) => one > other ? one : other);
  const recommendation: JsonObject = {
    recommendationId: `recommendation-${(hash(`${ENROLLMENT} ${profile.id}`) >>> 0).toString(36)}`,
    recommendationType: ENROLLMENT,
    adProduct: "SPONSORED_PRODUCTS",
    state: "ACTIVE",
    language: LANGUAGE,
    createdDateTime: newest,
    publishedDateTime: newest,
    recommendationInsight: {
      insightTexts: [{
        key: "REASON",
        value: `${campaigns.length} enabled campaigns advertise only in ${country}`,
      }],
    },
    recommendedObjects: campaigns.slice(0, MAX_OBJECTS).map(({ campaignId, name }) => ({
      recommendedObjectType: "CAMPAIGN",
      recommendedObjectId: campaignId!,
      displayName: name!,
      currentObjectSettings: { marketplaces: [country] },
    })),
  };
  return [{ recommendation, country }];
}
