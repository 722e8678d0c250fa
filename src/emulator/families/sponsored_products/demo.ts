import type { JsonObject } from "../../core/json.ts";
import type { Random } from "../../core/random.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import { Money } from "../../state/demo_money.ts";
import { searchTerms, type Theme } from "../../state/demo_themes.ts";

export interface DemoParts {
  readonly record: ProfileRecord;
  readonly theme: Theme;
  readonly hostileNames?: boolean;
  readonly random: Random;
  readonly newId: () => string;
}

type Collections = Record<string, JsonObject[]>;

const FIRST_DAY = Date.UTC(2024, 2, 1);
const DAYS = 850;
const DAY = 86_400_000;
const AUTO_TYPES = [
  "QUERY_HIGH_REL_MATCHES",
  "QUERY_BROAD_REL_MATCHES",
  "ASIN_SUBSTITUTE_RELATED",
  "ASIN_ACCESSORY_RELATED",
];

export function buildSponsoredProducts(parts: DemoParts): Collections {
  return new Builder(parts).build();
}

class Builder {
  readonly #parts: DemoParts;
  readonly #random: Random;
  readonly #money: Money;
  readonly #collections: Collections = {};

  constructor(parts: DemoParts) {
    this.#parts = parts;
    this.#random = parts.random;
    this.#money = new Money(parts.record.countryCode, parts.random);
  }

  build(): Collections {
    const { theme } = this.#parts;
    const portfolios = theme.portfolios.map((name, index) => this.#portfolio(name, index));
    for (const [index, line] of theme.lines.entries()) {
      const portfolioId = this.#random.chance(0.8) ? this.#random.pick(portfolios) : undefined;
      const terms = this.#random.shuffled(searchTerms(theme, index));
      this.#keywordCampaign(line, {
        kind: "Exact",
        portfolioId,
        terms: terms.slice(0, 90),
        matchTypes: ["EXACT"],
      });
      this.#autoCampaign(line, portfolioId);
      if (index % 2 === 0) {
        const matchTypes = ["PHRASE", "BROAD"];
        this.#keywordCampaign(line, {
          kind: "Research",
          portfolioId,
          terms: terms.slice(60, 120),
          matchTypes,
        });
      }
      if (index % 3 === 0) this.#productCampaign(line, portfolioId);
    }
    this.#clearance();
    return this.#collections;
  }

  #keywordCampaign(
    line: string,
    plan: {
      kind: string;
      portfolioId: string | undefined;
      terms: readonly string[];
      matchTypes: readonly string[];
    },
  ): void {
    const campaign = this.#campaign(`SP | ${line} | ${plan.kind}`, { portfolioId: plan.portfolioId });
    const { campaignId } = campaign;
    for (const matchType of plan.matchTypes) {
      const adGroup = this.#adGroup(campaign, `${line} ${matchType.toLowerCase()}`);
      const { adGroupId } = adGroup;
      for (const keywordText of plan.terms) {
        const bid = this.#random.chance(0.9) ? { bid: this.#money.bid() } : {};
        this.#add("sp.keywords", campaign, {
          keywordId: this.#parts.newId(),
          campaignId,
          adGroupId,
          keywordText,
          matchType,
          ...bid,
          state: this.#state(),
        });
      }
    }
    for (const keywordText of this.#random.shuffled(this.#parts.theme.unwanted).slice(0, 3)) {
      const matchType = this.#random.pick(["NEGATIVE_PHRASE", "NEGATIVE_EXACT"]);
      const keywordId = this.#parts.newId();
      this.#add("sp.campaign_negative_keywords", campaign, {
        keywordId,
        campaignId,
        keywordText,
        matchType,
        state: "ENABLED",
      });
    }
  }

  #autoCampaign(line: string, portfolioId: string | undefined): void {
    const campaign = this.#campaign(`SP | ${line} | Auto`, { portfolioId, targetingType: "AUTO" });
    const adGroup = this.#adGroup(campaign, `${line} auto`);
    for (const type of AUTO_TYPES) {
      this.#target(adGroup, { expression: [{ type }], expressionType: "AUTO" });
    }
    for (const keywordText of this.#random.shuffled(this.#parts.theme.unwanted).slice(0, 4)) {
      this.#add("sp.negative_keywords", campaign, {
        keywordId: this.#parts.newId(),
        campaignId: campaign.campaignId,
        adGroupId: adGroup.adGroupId,
        keywordText,
        matchType: "NEGATIVE_PHRASE",
        state: "ENABLED",
      });
    }
    for (const value of [this.#asin(), this.#asin()]) {
      this.#negativeTarget(adGroup, [{ type: "ASIN_SAME_AS", value }]);
    }
  }

  #productCampaign(line: string, portfolioId: string | undefined): void {
    const campaign = this.#campaign(`SP | ${line} | Products`, { portfolioId });
    const adGroup = this.#adGroup(campaign, `${line} products`);
    for (let count = 0; count < 12; count++) {
      const type = count % 4 === 3 ? "ASIN_EXPANDED_FROM" : "ASIN_SAME_AS";
      this.#target(adGroup, { expression: [{ type, value: this.#asin() }], expressionType: "MANUAL" });
    }
    const category = {
      type: "ASIN_CATEGORY_SAME_AS",
      value: String(this.#random.integer(1_000_000, 9_999_999)),
    };
    const price = { type: "ASIN_PRICE_BETWEEN", value: "10-50" };
    this.#target(adGroup, { expression: [category], expressionType: "MANUAL" });
    this.#target(adGroup, { expression: [category, price], expressionType: "MANUAL" });
    const excluded = [{ type: "ASIN_SAME_AS", value: this.#asin() }];
    this.#add("sp.campaign_negative_targets", campaign, {
      targetId: this.#parts.newId(),
      campaignId: campaign.campaignId,
      expression: excluded,
      resolvedExpression: excluded,
      state: "ENABLED",
    });
    this.#negativeTarget(adGroup, [{
      type: "ASIN_BRAND_SAME_AS",
      value: this.#random.pick(this.#parts.theme.rivals),
    }]);
  }

  #clearance(): void {
    const name = this.#parts.hostileNames ? "\u001b[31mClearance\u001b[0m" : "Clearance";
    const campaign = this.#campaign(`SP | ${name} | Auto`, { targetingType: "AUTO" });
    const adGroup = this.#adGroup(campaign, "Clearance");
    for (const type of AUTO_TYPES) this.#target(adGroup, { expression: [{ type }], expressionType: "AUTO" });
  }

  #portfolio(name: string, index: number): string {
    const portfolioId = this.#parts.newId();
    const { currencyCode } = this.#parts.record;
    const budget = index % 2 === 0
      ? { budget: { amount: this.#money.budget() * 30, currencyCode, policy: "MONTHLY_RECURRING" } }
      : {};
    const created = this.#moment();
    (this.#collections["portfolios"] ??= []).push({
      portfolioId,
      name,
      ...budget,
      inBudget: true,
      state: "ENABLED",
      extendedData: { creationDateTime: created, lastUpdateDateTime: created },
    });
    return portfolioId;
  }

  #campaign(
    name: string,
    options: { portfolioId?: string | undefined; targetingType?: string },
  ): JsonObject {
    const strategy = this.#random.pick(["LEGACY_FOR_SALES", "LEGACY_FOR_SALES", "AUTO_FOR_SALES", "MANUAL"]);
    const percentage = this.#random.pick([10, 25, 50, 90]);
    const created = this.#moment();
    const campaign: JsonObject = {
      campaignId: this.#parts.newId(),
      name,
      state: this.#stateOfParent("sp.campaigns"),
      targetingType: options.targetingType ?? "MANUAL",
      budget: { budget: this.#money.budget(), budgetType: "DAILY" },
      dynamicBidding: {
        strategy,
        placementBidding: this.#random.chance(0.5) ? [{ placement: "PLACEMENT_TOP", percentage }] : [],
      },
      startDate: created.slice(0, 10),
      ...(options.portfolioId === undefined ? {} : { portfolioId: options.portfolioId }),
      extendedData: { creationDateTime: created, lastUpdateDateTime: created },
    };
    (this.#collections["sp.campaigns"] ??= []).push(campaign);
    return campaign;
  }

  #adGroup(campaign: JsonObject, name: string): JsonObject {
    const adGroup = this.#add("sp.ad_groups", campaign, {
      adGroupId: this.#parts.newId(),
      campaignId: campaign.campaignId,
      name,
      defaultBid: this.#money.bid(),
      state: this.#stateOfParent("sp.ad_groups"),
    });
    const isSeller = this.#parts.record.accountInfo.type === "seller";
    for (let count = 0; count < 3; count++) {
      const asin = this.#asin();
      this.#add("sp.product_ads", campaign, {
        adId: this.#parts.newId(),
        campaignId: campaign.campaignId,
        adGroupId: adGroup.adGroupId,
        asin,
        ...(isSeller ? { sku: `SKU-${asin.slice(-5)}-${count + 1}` } : {}),
        state: this.#state(),
      });
    }
    return adGroup;
  }

  #target(adGroup: JsonObject, clause: { expression: JsonObject[]; expressionType: string }): void {
    this.#add("sp.targets", adGroup, {
      targetId: this.#parts.newId(),
      campaignId: adGroup.campaignId,
      adGroupId: adGroup.adGroupId,
      ...clause,
      resolvedExpression: clause.expression,
      bid: this.#money.bid(),
      state: this.#state(),
    });
  }

  #negativeTarget(adGroup: JsonObject, expression: JsonObject[]): void {
    this.#add("sp.negative_targets", adGroup, {
      targetId: this.#parts.newId(),
      campaignId: adGroup.campaignId,
      adGroupId: adGroup.adGroupId,
      expression,
      resolvedExpression: expression,
      state: "ENABLED",
    });
  }

  #add(collection: string, parent: JsonObject, entity: JsonObject): JsonObject {
    const whole: JsonObject = { ...entity, extendedData: parent.extendedData! };
    (this.#collections[collection] ??= []).push(whole);
    return whole;
  }

  /** Ensures that every profile has serving, paused and archived entities. */
  #stateOfParent(collection: string): string {
    const number = this.#collections[collection]?.length ?? 0;
    return number % 11 === 7 ? "ARCHIVED" : number % 5 === 3 ? "PAUSED" : "ENABLED";
  }

  #state(): string {
    const dice = this.#random.next();
    return dice < 0.76 ? "ENABLED" : dice < 0.93 ? "PAUSED" : "ARCHIVED";
  }

  #moment(): string {
    const minutes = this.#random.integer(0, 24 * 60 - 1);
    return new Date(FIRST_DAY + this.#random.integer(0, DAYS) * DAY + minutes * 60_000).toISOString();
  }

  #asin(): string {
    const letters = "0123456789BCDFGHJKLMNPQRSTVWXYZ";
    return `B0${
      Array.from({ length: 8 }, () => letters[this.#random.integer(0, letters.length - 1)]).join("")
    }`;
  }
}
