import { isObject, type JsonObject } from "../core/json.ts";

/** What a collection needs to know about the entities in it. */
export interface Kind {
  /** The field that holds an entity's id. */
  readonly idField: string;
  /** What no two entities that are not archived may share; absent when anything may repeat. */
  readonly uniqueKey?: (entity: JsonObject) => string | undefined;
}

/** The kinds of entities that are kept, by the name of their collection. Other names are allowed: their id field is `id`. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "portfolios": { idField: "portfolioId", uniqueKey: (portfolio) => lower(portfolio.name) },
  "sp.campaigns": { idField: "campaignId", uniqueKey: (campaign) => lower(campaign.name) },
  "sp.ad_groups": {
    idField: "adGroupId",
    uniqueKey: (adGroup) => `${adGroup.campaignId}|${lower(adGroup.name)}`,
  },
  "sp.product_ads": {
    idField: "adId",
    uniqueKey: (ad) => `${ad.adGroupId}|${ad.sku ?? ad.asin}|${ad.customText ?? ""}`,
  },
  "sp.keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.negative_keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.campaign_negative_keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.targets": { idField: "targetId", uniqueKey: expressionKey },
  "sp.negative_targets": { idField: "targetId", uniqueKey: expressionKey },
  "sp.campaign_negative_targets": { idField: "targetId", uniqueKey: expressionKey },
  "sb.campaigns": { idField: "campaignId", uniqueKey: (campaign) => lower(campaign.name) },
  "sb.ad_groups": { idField: "adGroupId" },
  "sb.ads": { idField: "adId" },
  "sb.keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sb.negative_keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.budget_rules": { idField: "ruleId" },
  "sp.optimization_rules": { idField: "ruleId" },
  "reports": { idField: "reportId" },
  "exports": { idField: "exportId" },
};

function lower(value: unknown): string {
  return String(value ?? "").toLowerCase();
}

function keywordKey(keyword: JsonObject): string {
  return `${keyword.adGroupId ?? keyword.campaignId}|${keyword.matchType}|${lower(keyword.keywordText)}`;
}

function expressionKey(target: JsonObject): string {
  const parts = Array.isArray(target.expression) ? target.expression : [];
  const words = parts.filter(isObject).map((part) => `${part.type}=${lower(part.value)}`);
  return `${target.adGroupId ?? target.campaignId}|${words.sort().join("&")}`;
}
