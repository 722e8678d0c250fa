import { equal } from "../support/assert.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import type { Answered, Caller, CallOptions } from "./caller.ts";

/** What tests know of one resource with lists and batches. */
export interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly type: string;
  readonly collection: string;
  readonly idField: string;
  readonly resultIdField: string;
  readonly echoField: string;
  readonly idFilter: string;
}

type Row = readonly [
  kind: string,
  path: string,
  type: string,
  collection: string,
  ids: readonly [field: string, result: string, filter: string],
  echo: string,
];

const ROWS: readonly Row[] = [
  [
    "sp.campaigns",
    "campaigns",
    "spCampaign",
    "campaigns",
    ["campaignId", "campaignId", "campaignIdFilter"],
    "campaign",
  ],
  [
    "sp.ad_groups",
    "adGroups",
    "spAdGroup",
    "adGroups",
    ["adGroupId", "adGroupId", "adGroupIdFilter"],
    "adGroup",
  ],
  [
    "sp.keywords",
    "keywords",
    "spKeyword",
    "keywords",
    ["keywordId", "keywordId", "keywordIdFilter"],
    "keyword",
  ],
  [
    "sp.targets",
    "targets",
    "spTargetingClause",
    "targetingClauses",
    ["targetId", "targetId", "targetIdFilter"],
    "targetingClause",
  ],
  [
    "sp.negative_keywords",
    "negativeKeywords",
    "spNegativeKeyword",
    "negativeKeywords",
    ["keywordId", "negativeKeywordId", "negativeKeywordIdFilter"],
    "negativeKeyword",
  ],
  [
    "sp.negative_targets",
    "negativeTargets",
    "spNegativeTargetingClause",
    "negativeTargetingClauses",
    ["targetId", "targetId", "negativeTargetIdFilter"],
    "negativeTargetingClause",
  ],
  [
    "sp.campaign_negative_keywords",
    "campaignNegativeKeywords",
    "spCampaignNegativeKeyword",
    "campaignNegativeKeywords",
    ["keywordId", "campaignNegativeKeywordId", "campaignNegativeKeywordIdFilter"],
    "campaignNegativeKeyword",
  ],
  [
    "sp.campaign_negative_targets",
    "campaignNegativeTargets",
    "spCampaignNegativeTargetingClause",
    "campaignNegativeTargetingClauses",
    ["targetId", "campaignNegativeTargetingClauseId", "campaignNegativeTargetIdFilter"],
    "campaignNegativeTargetingClauses",
  ],
  ["sp.product_ads", "productAds", "spProductAd", "productAds", ["adId", "adId", "adIdFilter"], "productAd"],
];

/** The nine Sponsored Products resources, as the wire has them. */
export const RESOURCES: readonly Resource[] = ROWS.map(([kind, path, type, collection, ids, echoField]) => ({
  kind,
  path: `/sp/${path}`,
  type: `application/vnd.${type}.v3+json`,
  collection,
  idField: ids[0],
  resultIdField: ids[1],
  idFilter: ids[2],
  echoField,
}));

/** Portfolios, as the wire has them. */
export const PORTFOLIOS: Resource = {
  kind: "portfolios",
  path: "/portfolios",
  type: "application/vnd.spPortfolio.v3+json",
  collection: "portfolios",
  idField: "portfolioId",
  resultIdField: "portfolioId",
  idFilter: "portfolioIdFilter",
  echoField: "portfolio",
};

/** The resource of a kind. */
export function resource(kind: string): Resource {
  return [...RESOURCES, PORTFOLIOS].find((found) => found.kind === kind)!;
}

/** The verdicts of a batch. */
export interface Verdicts {
  // deno-lint-ignore no-explicit-any -- successes hold an id and an entity under changing names
  readonly success: any[];
  readonly error: {
    index: number;
    errors: { errorType: string; errorValue: Record<string, JsonObject> }[];
  }[];
}

/** Sends a list request. */
export function list(
  caller: Caller,
  kind: string,
  body: JsonObject,
  options: CallOptions = {},
): Promise<Answered> {
  const { path, type } = resource(kind);
  return caller.call("POST", `${path}/list`, body, { type, ...options });
}

/** Lists every page of a list. */
export async function listAll(caller: Caller, kind: string, body: JsonObject): Promise<JsonObject[][]> {
  const pages: JsonObject[][] = [];
  let nextToken: string | undefined;
  do {
    const answer = await list(caller, kind, nextToken === undefined ? body : { ...body, nextToken });
    equal(answer.status, 200, answer.text);
    pages.push(answer.json[resource(kind).collection]);
    nextToken = answer.json.nextToken;
  } while (nextToken !== undefined);
  return pages;
}

/** Sends a batch by POST or PUT and gives back its verdicts. */
export async function write(
  caller: Caller,
  [method, kind]: readonly [method: "POST" | "PUT", kind: string],
  items: readonly unknown[],
  options: CallOptions = {},
): Promise<Verdicts> {
  const { path, type, collection } = resource(kind);
  const answer = await caller.call(method, path, { [collection]: items }, { type, ...options });
  equal(answer.status, 207, answer.text);
  return answer.json[collection];
}

/** Archives entities and gives back the verdicts. */
export async function archive(
  caller: Caller,
  kind: string,
  ids: readonly unknown[],
  options: CallOptions = {},
): Promise<Verdicts> {
  const { path, type, collection, idFilter } = resource(kind);
  const answer = await caller.call("POST", `${path}/delete`, { [idFilter]: { include: ids } }, {
    type,
    ...options,
  });
  equal(answer.status, 207, answer.text);
  return answer.json[collection];
}

/** The first error of each refused item, in short: index, family, reason and the place of the cause. */
export function errorsOf(
  verdicts: Verdicts,
): [index: number, errorType: string, reason: string, location: string][] {
  return verdicts.error.map(({ index, errors }) => {
    const { errorType, errorValue } = errors[0]!;
    const { reason, cause } = errorValue[errorType]!;
    return [index, errorType, String(reason), String((cause as JsonObject).location)];
  });
}

/** An entity of the US profile that fits, straight from the emulator's memory. */
export function pick(caller: Caller, kind: string, fits: (entity: JsonObject) => boolean): JsonObject {
  const found = caller.emulator.state.profile(caller.profile("US"))!.collection(kind).all().find(fits);
  if (found === undefined) throw new RangeError(`The demo account holds no ${kind} that fits`);
  return found;
}

/** Creates a campaign with an ad group in the US profile and gives back their ids. */
export async function newAdGroup(
  caller: Caller,
  options: { targetingType?: string } = {},
): Promise<{ campaignId: string; adGroupId: string }> {
  const campaigns = await write(caller, ["POST", "sp.campaigns"], [{
    name: `Fresh ${crypto.randomUUID()}`,
    state: "ENABLED",
    targetingType: options.targetingType ?? "MANUAL",
    budget: { budget: 20, budgetType: "DAILY" },
  }]);
  const campaignId = campaigns.success[0].campaignId;
  const adGroups = await write(caller, ["POST", "sp.ad_groups"], [{
    campaignId,
    name: "Fresh",
    defaultBid: 1,
    state: "ENABLED",
  }]);
  return { campaignId, adGroupId: adGroups.success[0].adGroupId };
}
