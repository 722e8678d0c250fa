import type { JsonObject } from "../../core/json.ts";
import { Money } from "../../state/demo_money.ts";
import type { DemoParts } from "../sponsored_products/demo.ts";

const FIRST_DAY = Date.UTC(2025, 2, 1);
const DAYS = 450;
const DAY = 86_400_000;
const AD_GROUPS = 2;
const TARGETS = 5;
const ADS = 3;

export function buildSponsoredDisplay(
  parts: DemoParts & { readonly products: readonly JsonObject[] },
): Record<string, JsonObject[]> {
  return new Builder(parts).build();
}

class Builder {
  readonly #parts: DemoParts & { readonly products: readonly JsonObject[] };
  readonly #money: Money;
  readonly #collections: Record<string, JsonObject[]> = {};

  constructor(parts: DemoParts & { readonly products: readonly JsonObject[] }) {
    this.#parts = parts;
    this.#money = new Money(parts.record.countryCode, parts.random);
  }

  build(): Record<string, JsonObject[]> {
    if (this.#parts.products.length === 0) return {};
    for (const line of this.#parts.theme.lines) {
      this.#campaign(`SD | ${line} | Products`, "T00020");
      this.#campaign(`SD | ${line} | Audiences`, "T00030");
    }
    return this.#collections;
  }

  #campaign(name: string, tactic: string): void {
    const { newId, random } = this.#parts;
    const created = FIRST_DAY + random.integer(0, DAYS) * DAY + random.integer(0, 86_399) * 1000;
    const campaign = this.#add("sd.campaigns", created, {
      campaignId: newId(),
      name,
      tactic,
      budget: this.#money.budget(),
      budgetType: "daily",
      costType: "cpc",
      deliveryProfile: "as_soon_as_possible",
      startDate: new Date(created).toISOString().slice(0, 10).replaceAll("-", ""),
      state: this.#state("sd.campaigns"),
    });
    for (let number = 1; number <= AD_GROUPS; number++) this.#adGroup(campaign, { number, tactic, created });
  }

  #adGroup(
    campaign: JsonObject,
    { number, tactic, created }: { number: number; tactic: string; created: number },
  ): void {
    const { newId, random, products, record } = this.#parts;
    const adGroup = this.#add("sd.ad_groups", created, {
      adGroupId: newId(),
      campaignId: campaign.campaignId,
      name: `Ad group ${number}`,
      defaultBid: this.#money.displayBid(),
      bidOptimization: "clicks",
      tactic,
      state: this.#state("sd.ad_groups"),
    });
    const place = { campaignId: campaign.campaignId, adGroupId: adGroup.adGroupId };
    const shown = random.shuffled(products).slice(0, ADS);
    for (const product of shown) {
      this.#add("sd.product_ads", created, {
        adId: newId(),
        ...place,
        asin: product.asin,
        ...(record.accountInfo.type === "seller" ? { sku: product.sku } : {}),
        state: "enabled",
      });
    }
    const targeted = random.shuffled(products);
    for (let count = 0; count < TARGETS; count++) {
      const expression = tactic === "T00020"
        ? [productPart(this.#parts, targeted[count - 1])]
        : [audiencePart(count)];
      this.#add("sd.targets", created, {
        targetId: newId(),
        ...place,
        expressionType: "manual",
        expression,
        resolvedExpression: expression,
        bid: this.#money.displayBid(),
        state: count === TARGETS - 1 ? "paused" : "enabled",
      });
    }
    const kept = [{ type: "asinSameAs", value: String(random.pick(products).asin) }];
    this.#add("sd.negative_targets", created, {
      targetId: newId(),
      ...place,
      expressionType: "manual",
      expression: kept,
      resolvedExpression: kept,
      state: "enabled",
    });
    this.#add("sd.creatives", created, {
      creativeId: newId(),
      adGroupId: adGroup.adGroupId,
      creativeType: "IMAGE",
      moderationStatus: "APPROVED",
      properties: { headline: `${this.#parts.theme.lines[0]} for you`.slice(0, 50) },
      state: "enabled",
    });
  }

  #add(kind: string, created: number, entity: JsonObject): JsonObject {
    const whole = { ...entity, extendedData: { creationDate: created, lastUpdateDate: created } };
    (this.#collections[kind] ??= []).push(whole);
    return whole;
  }

  #state(kind: string): string {
    const number = this.#collections[kind]?.length ?? 0;
    return number % 11 === 7 ? "archived" : number % 5 === 3 ? "paused" : "enabled";
  }
}

function productPart({ random }: DemoParts, product: JsonObject | undefined): JsonObject {
  return product === undefined
    ? { type: "asinCategorySameAs", value: String(random.integer(1_000_000, 9_999_999)) }
    : { type: "asinSameAs", value: String(product.asin) };
}

function audiencePart(count: number): JsonObject {
  const days = [7, 14, 30, 60, 90][count % 5];
  const event = count % 2 === 0 ? "views" : "purchases";
  return { type: event, value: [{ type: "exactProduct" }, { type: "lookback", value: String(days) }] };
}
