import { isObject, type JsonObject } from "../core/json.ts";

/** Rules of a collection for its entities. */
export interface Kind {
  /** The field that holds an entity's id. */
  readonly idField: string;
  /** Key that distinguishes entities that are not archived; absent when anything may repeat. */
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
  "sb.targets": { idField: "targetId", uniqueKey: expressionsKey },
  "sb.negative_targets": { idField: "targetId", uniqueKey: expressionsKey },
  "sb.optimization_rules": { idField: "optimizationRuleId" },
  "sb.creative_versions": { idField: "versionId" },
  "sb.themes": { idField: "themeId", uniqueKey: (theme) => `${theme.adGroupId}|${theme.themeType}` },
  "sd.campaigns": { idField: "campaignId", uniqueKey: (campaign) => lower(campaign.name) },
  "sd.ad_groups": {
    idField: "adGroupId",
    uniqueKey: (adGroup) => `${adGroup.campaignId}|${lower(adGroup.name)}`,
  },
  "sd.product_ads": {
    idField: "adId",
    uniqueKey: (ad) => `${ad.adGroupId}|${ad.sku ?? ad.asin ?? ad.landingPageURL}`,
  },
  "sd.targets": { idField: "targetId", uniqueKey: expressionKey },
  "sd.negative_targets": { idField: "targetId", uniqueKey: expressionKey },
  "sd.creatives": { idField: "creativeId" },
  "sd.locations": { idField: "locationExpressionId" },
  "sd.optimization_rules": { idField: "ruleId" },
  "sd.optimization_rule_ties": { idField: "adGroupId" },
  "sd.denied_domains": { idField: "domainId" },
  "sd.brand_safety_requests": { idField: "requestId" },
  "sb.budget_rules": { idField: "ruleId" },
  "sd.budget_rules": { idField: "ruleId" },
  "sp.budget_rules": { idField: "ruleId" },
  "sp.optimization_rules": { idField: "ruleId" },
  "reports": { idField: "reportId" },
  "free_reports": { idField: "reportId" },
  "exports": { idField: "exportId" },
  "stream.subscriptions": { idField: "subscriptionId" },
};

function lower(value: unknown): string {
  return String(value ?? "").toLowerCase();
}

function keywordKey(keyword: JsonObject): string {
  return `${keyword.adGroupId ?? keyword.campaignId}|${keyword.matchType}|${lower(keyword.keywordText)}`;
}

function expressionKey(target: JsonObject): string {
  const parts = Array.isArray(target.expression) ? target.expression : [];
  const words = parts.filter(isObject).map((part) => `${part.type}=${wordOf(part.value)}`);
  return `${target.adGroupId ?? target.campaignId}|${words.sort().join("&")}`;
}

function expressionsKey(target: JsonObject): string {
  return expressionKey({ ...target, expression: target.expressions });
}

/** A value as text; that of an audience is a list. */
function wordOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : lower(value);
}
