import type { Random } from "../../core/random.ts";
import type { JsonObject } from "../../core/json.ts";
import { Money } from "../../state/demo_money.ts";
import { bidRange } from "../../core/marketplaces.ts";
import { searchTerms } from "../../state/demo_themes.ts";
import type { DemoParts } from "../sponsored_products/demo.ts";

interface BrandsTargetsDemo {
  readonly countryCode: string;
  readonly random: Random;
  readonly newId: () => string;
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Builds targets for every second Brands ad group only. */
export function buildBrandsTargets(parts: BrandsTargetsDemo): Record<string, JsonObject[]> {
  const { random, newId, collections, countryCode } = parts;
  const products = collections["sp.product_ads"] ?? [];
  if (products.length === 0) return {};
  const money = new Money(countryCode, random);
  const [low, high] = bidRange(countryCode, "sbVideo");
  const bid = () => Math.min(high, Math.max(low, money.bid()));
  const made: Record<string, JsonObject[]> = { "sb.themes": [], "sb.targets": [], "sb.negative_targets": [] };
  const adGroups = (collections["sb.ad_groups"] ?? []).filter((_, index) => index % 2 === 0);
  for (const [index, adGroup] of adGroups.entries()) {
    const place = { adGroupId: adGroup.adGroupId, campaignId: adGroup.campaignId };
    const rest = { state: index % 4 === 3 ? "paused" : "enabled", extendedData: adGroup.extendedData };
    made["sb.themes"]?.push({
      themeId: newId(),
      ...place,
      themeType: index % 2 === 0
        ? "KEYWORDS_RELATED_TO_YOUR_BRAND"
        : "KEYWORDS_RELATED_TO_YOUR_LANDING_PAGES",
      bid: bid(),
      ...rest,
    });
    const [target, kept] = random.shuffled(products);
    const expressions = [{ type: "asinSameAs", value: String(target?.asin) }];
    made["sb.targets"]?.push({
      targetId: newId(),
      ...place,
      expressions,
      resolvedExpressions: expressions,
      bid: bid(),
      ...rest,
    });
    const negative = [{ type: "asinSameAs", value: String((kept ?? target)?.asin) }];
    made["sb.negative_targets"]?.push({
      targetId: newId(),
      ...place,
      expressions: negative,
      resolvedExpressions: negative,
      ...rest,
      state: "enabled",
    });
  }
  return made;
}

interface BrandsDemoParts extends DemoParts {
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
}

type Collections = Record<string, JsonObject[]>;

interface CampaignPlan {
  readonly name: string;
  readonly adType: "PRODUCT_COLLECTION" | "VIDEO" | "STORE_SPOTLIGHT";
  readonly terms: readonly string[];
}

const FIRST_DAY = Date.UTC(2024, 8, 1);
const DAYS = 700;
const DAY = 86_400_000;
const PLACEMENTS = ["HOME", "DETAIL_PAGE", "OTHER", "TOP_OF_SEARCH"];
const MATCH_TYPES = ["exact", "phrase", "broad"];
const WITHOUT_BRANDS = ["MX"];

/** Uses the products of the profile's Sponsored Products ads. The Mexican profile has no Brands. */
export function buildSponsoredBrands(parts: BrandsDemoParts): Collections {
  return WITHOUT_BRANDS.includes(parts.record.countryCode) ? {} : new Builder(parts).build();
}

class Builder {
  readonly #parts: BrandsDemoParts;
  readonly #money: Money;
  readonly #brand: string;
  readonly #asins: readonly string[];
  readonly #portfolioIds: readonly string[];
  readonly #collections: Collections = {};

  constructor(parts: BrandsDemoParts) {
    this.#parts = parts;
    this.#money = new Money(parts.record.countryCode, parts.random);
    this.#brand = parts.record.accountInfo.name.slice(0, 30);
    this.#asins = (parts.collections["sp.product_ads"] ?? []).map((ad) => String(ad.asin));
    this.#portfolioIds = (parts.collections["portfolios"] ?? []).map((each) => String(each.portfolioId));
  }

  build(): Collections {
    const { theme, random } = this.#parts;
    for (const [index, line] of theme.lines.entries()) {
      const terms = random.shuffled(searchTerms(theme, index));
      this.#addCampaign({
        name: `SB | ${line} | Collection`,
        adType: "PRODUCT_COLLECTION",
        terms: terms.slice(0, 24),
      });
      if (index % 2 === 0) {
        this.#addCampaign({ name: `SB | ${line} | Video`, adType: "VIDEO", terms: terms.slice(12, 30) });
      }
    }
    this.#addCampaign({
      name: `SB | ${this.#brand} | Store`,
      adType: "STORE_SPOTLIGHT",
      terms: theme.nouns.map((noun) =>
        `${this.#brand.toLowerCase().replace(/[^\p{L}\p{N} ]/gu, "")} ${noun}`
      ),
    });
    return this.#collections;
  }

  #addCampaign(plan: CampaignPlan): void {
    const campaign = this.#campaign(plan.name);
    for (const [index, matchType] of this.#parts.random.shuffled(MATCH_TYPES).slice(0, 2).entries()) {
      const adGroup = this.#adGroup(campaign, `${plan.name.split(" | ")[1]} ${matchType}`);
      this.#ad(adGroup, plan.adType);
      for (const keywordText of plan.terms.filter((_, place) => place % 2 === index)) {
        this.#keyword(adGroup, { keywordText: keywordText.replace(/ +/g, " ").trim(), matchType });
      }
      for (const keywordText of this.#parts.random.shuffled(this.#parts.theme.unwanted).slice(0, 2)) {
        const negativeType = this.#parts.random.pick(["negativeExact", "negativePhrase"]);
        this.#negative(adGroup, { keywordText, matchType: negativeType });
      }
    }
  }

  #campaign(name: string): JsonObject {
    const { random, record } = this.#parts;
    const created = FIRST_DAY + random.integer(0, DAYS) * DAY + random.integer(0, DAY / 60_000 - 1) * 60_000;
    const isSeller = record.accountInfo.type === "seller";
    return this.#add("sb.campaigns", {
      campaignId: this.#parts.newId(),
      name,
      state: this.#state(),
      budget: this.#money.budget(),
      budgetType: "DAILY",
      startDate: new Date(created).toISOString().slice(0, 10),
      goal: "PAGE_VISIT",
      costType: "CPC",
      kpi: "CLICKS",
      bidding: this.#bidding(),
      ...(isSeller ? { brandEntityId: `ENTITY${record.accountInfo.id.slice(-8)}BRAND` } : {}),
      productLocation: "SOLD_ON_PLATFORM",
      isMultiAdGroupsEnabled: true,
      ...(random.chance(0.6) ? { portfolioId: random.pick(this.#portfolioIds) } : {}),
      extendedData: { creationDate: created, lastUpdateDate: created },
    });
  }

  #bidding(): JsonObject {
    const { random } = this.#parts;
    const bidOptimization = random.chance(0.5);
    const percentageOf = (placement: string) =>
      bidOptimization
        ? 0
        : placement === "TOP_OF_SEARCH"
        ? random.pick([0, 20, 45, 80])
        : random.pick([0, 0, -20]);
    return {
      bidOptimization,
      bidAdjustmentsByPlacement: PLACEMENTS.map((placement) => ({
        placement,
        percentage: percentageOf(placement),
      })),
      bidOptimizationStrategy: "MAXIMIZE_IMMEDIATE_SALES",
    };
  }

  #adGroup(campaign: JsonObject, name: string): JsonObject {
    return this.#add("sb.ad_groups", {
      adGroupId: this.#parts.newId(),
      campaignId: campaign.campaignId,
      name,
      state: this.#state(),
      extendedData: campaign.extendedData,
    });
  }

  #ad(adGroup: JsonObject, type: CampaignPlan["adType"]): void {
    const asins = this.#parts.random.shuffled(this.#asins).slice(0, type === "VIDEO" ? 1 : 3);
    const words = {
      brandName: this.#brand,
      headline: `${this.#brand}: ${adGroup.name}`.slice(0, 50),
      brandLogoAssetID: "asset.logo:version_v1",
    };
    const store = { pageType: "STORE", url: `https://shop.example/stores/${adGroup.adGroupId}` };
    const parts: Record<CampaignPlan["adType"], JsonObject> = {
      PRODUCT_COLLECTION: {
        creative: { ...words, asins, customImages: [{ assetId: "asset.image:version_v1" }] },
        landingPage: { pageType: "PRODUCT_LIST", asins },
      },
      VIDEO: {
        creative: {
          asins,
          videoAssetIds: [`asset.${adGroup.adGroupId}:version_v1`],
          consentToTranslate: false,
        },
        landingPage: { pageType: "DETAIL_PAGE" },
      },
      STORE_SPOTLIGHT: {
        creative: {
          ...words,
          subpages: asins.map((asin, index) => ({ asin, pageTitle: `Page ${index + 1}`, url: store.url })),
        },
        landingPage: store,
      },
    };
    const { creative, landingPage } = parts[type];
    this.#add("sb.ads", {
      adId: this.#parts.newId(),
      adGroupId: adGroup.adGroupId,
      campaignId: adGroup.campaignId,
      name: `${adGroup.name} ad`,
      state: this.#state(),
      creative: { ...creative as JsonObject, type, creativeStatus: "PUBLISHED", creativeVersion: "1" },
      landingPage: landingPage!,
      extendedData: adGroup.extendedData,
    });
  }

  #keyword(adGroup: JsonObject, keyword: { keywordText: string; matchType: string }): void {
    this.#add("sb.keywords", {
      keywordId: this.#parts.newId(),
      adGroupId: adGroup.adGroupId,
      campaignId: adGroup.campaignId,
      ...keyword,
      state: this.#state().toLowerCase(),
      bid: this.#money.bid(),
    });
  }

  #negative(adGroup: JsonObject, keyword: { keywordText: string; matchType: string }): void {
    this.#add("sb.negative_keywords", {
      keywordId: this.#parts.newId(),
      adGroupId: adGroup.adGroupId,
      campaignId: adGroup.campaignId,
      ...keyword,
      state: this.#parts.random.chance(0.9) ? "enabled" : "archived",
    });
  }

  #add(collection: string, entity: JsonObject): JsonObject {
    (this.#collections[collection] ??= []).push(entity);
    return entity;
  }

  #state(): string {
    const dice = this.#parts.random.next();
    return dice < 0.78 ? "ENABLED" : dice < 0.93 ? "PAUSED" : "ARCHIVED";
  }
}
