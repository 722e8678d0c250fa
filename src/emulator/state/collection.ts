import { isObject, type JsonObject } from "../core/json.ts";

/**
 * The entities of one kind in one profile, in the order of their creation. Entities are plain objects and are never
 * removed; archived ones stay. Change an entity only through {@linkcode Collection.replace}.
 *
 * @example
 * ```ts
 * import type { Emulator } from "@platform/ads/emulator";
 *
 * function firstKeyword(emulator: Emulator): unknown {
 *   const keywords = emulator.state.profiles("NA")[0]!.collection("sp.keywords");
 *   return keywords.at(0)?.["keywordText"];
 * }
 * ```
 */
export class Collection {
  readonly #kind: Kind;
  readonly #entities: JsonObject[] = [];
  readonly #positions = new Map<string, number>();
  #owners: Map<string, string> | undefined;
  readonly #changed: () => void;

  /**
   * Creates a collection, empty or with initial entities.
   *
   * @param name Name of the collection, for example `sp.keywords`.
   * @param options `entities`: what it starts with; `changed`: called after each change.
   */
  constructor(name: string, options: { entities?: Iterable<JsonObject>; changed?: () => void } = {}) {
    this.#kind = kindOf(name);
    this.#changed = options.changed ?? (() => {});
    for (const entity of options.entities ?? []) this.#append(entity);
  }

  /** The field that holds an entity's id. */
  get idField(): string {
    return this.#kind.idField;
  }

  /** Number of entities, archived ones included. */
  get size(): number {
    return this.#entities.length;
  }

  /** The entity with this id. */
  get(id: string): JsonObject | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#entities[position];
  }

  /** The position of an id in the order of creation. */
  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
  }

  /** The entity at a position in the order of creation. */
  at(position: number): JsonObject | undefined {
    return this.#entities[position];
  }

  /** Every entity in the order of creation. */
  all(): readonly JsonObject[] {
    return this.#entities;
  }

  /** Id of another live entity with the same unique key. */
  rivalOf(entity: JsonObject): string | undefined {
    const key = this.#kind.uniqueKey?.(entity);
    if (key === undefined) return undefined;
    const owner = this.#ownersByKey().get(key);
    return owner === this.#idOf(entity) ? undefined : owner;
  }

  /** Adds a new entity. */
  insert(entity: JsonObject): void {
    this.#append(entity);
    this.#own(entity);
    this.#changed();
  }

  /** Replaces the entity that has the same id. */
  replace(entity: JsonObject): void {
    const position = this.#positions.get(this.#idOf(entity));
    if (position === undefined) {
      throw new RangeError(`Cannot replace "${this.#idOf(entity)}": it does not exist`);
    }
    this.#disown(this.#entities[position]!);
    this.#entities[position] = entity;
    this.#own(entity);
    this.#changed();
  }

  #append(entity: JsonObject): void {
    const id = this.#idOf(entity);
    if (this.#positions.has(id)) throw new RangeError(`Cannot add "${id}": it exists already`);
    this.#positions.set(id, this.#entities.push(entity) - 1);
  }

  #idOf(entity: JsonObject): string {
    return String(entity[this.#kind.idField]);
  }

  #ownersByKey(): Map<string, string> {
    if (this.#owners === undefined) {
      this.#owners = new Map();
      for (const entity of this.#entities) this.#own(entity);
    }
    return this.#owners;
  }

  #own(entity: JsonObject): void {
    const key = this.#kind.uniqueKey?.(entity);
    if (key === undefined || isArchived(entity)) return;
    this.#owners?.set(key, this.#idOf(entity));
  }

  #disown(entity: JsonObject): void {
    const key = this.#kind.uniqueKey?.(entity);
    if (key !== undefined && this.#owners?.get(key) === this.#idOf(entity)) this.#owners.delete(key);
  }
}

function isArchived(entity: JsonObject): boolean {
  return String(entity.state).toUpperCase() === "ARCHIVED";
}

interface Kind {
  readonly idField: string;
  /** Unique among unarchived entities; absent if duplicates are allowed. */
  readonly uniqueKey?: (entity: JsonObject) => string | undefined;
}

/** Other collections are allowed and use the id field `id`. */
const KINDS: Readonly<Record<string, Kind>> = {
  "labels": { idField: "labelId" },
  "portfolios": { idField: "portfolioId", uniqueKey: (portfolio) => lower(portfolio.name) },
  "sp.campaigns": { idField: "campaignId", uniqueKey: (campaign) => lower(campaign.name) },
  "sp.global_campaigns": { idField: "campaignId" },
  "sp.global_ad_groups": { idField: "adGroupId" },
  "sp.global_product_ads": { idField: "adId" },
  "sp.global_targets": { idField: "targetId" },
  "sp.ad_groups": {
    idField: "adGroupId",
    uniqueKey: (adGroup) => `${adGroup.campaignId}|${lower(adGroup.name)}`,
  },
  "sp.product_ads": {
    idField: "adId",
    uniqueKey: (ad) => `${ad.adGroupId}|${ad.sku ?? ad.asin}|${ad.customText ?? ""}`,
  },
  "sp.ad_extensions": { idField: "adExtensionId" },
  "sp.keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.negative_keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.campaign_negative_keywords": { idField: "keywordId", uniqueKey: keywordKey },
  "sp.targets": { idField: "targetId", uniqueKey: expressionKey },
  "sp.negative_targets": { idField: "targetId", uniqueKey: expressionKey },
  "sp.campaign_negative_targets": { idField: "targetId", uniqueKey: expressionKey },
  "sb.campaigns": { idField: "campaignId", uniqueKey: (campaign) => lower(campaign.name) },
  "sb.ad_groups": { idField: "adGroupId" },
  "sb.ads": { idField: "adId" },
  "sb.ad_extensions": { idField: "adExtensionId" },
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
  "clean_room.workflows": { idField: "workflowId" },
  "clean_room.executions": { idField: "workflowExecutionId" },
  "clean_room.schedules": { idField: "scheduleId" },
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

function wordOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : lower(value);
}

function kindOf(name: string): Kind {
  return KINDS[name] ?? { idField: "id" };
}

export function idFieldOf(name: string): string {
  return kindOf(name).idField;
}
