import { requiredId } from "../../../base/json/id_of.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { marketOf } from "../../../base/markets/markets.ts";
import type { JsonObject } from "../../../emulator/core/json.ts";
import type { AccountCopy, ProfileCopy } from "../../../emulator/state/account_copy.ts";
import type { HistoryEvent } from "../../../emulator/state/history_event.ts";
import type { ShopperLevel } from "../../../emulator/state/traffic_levels.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { Draw, ProductLine } from "./draw.ts";

const CLICK_RATE = 0.02;
const DAY = 86_400_000;

/** Demand for a keyword or target. */
export interface Demand {
  /** Clicks on a usual day at the bid of the draft. */
  readonly clicks: number;
  /** Orders per click. */
  readonly orders: number;
  /** Sales per order. @default 30 */
  readonly value?: number;
}

/** A campaign, as the parent of ad groups and negatives. */
export interface CampaignPlace {
  /** Id in the platform's format, drawn from the seed. */
  readonly campaignId: string;
  /** Name of the campaign or ad group. */
  readonly name: string;
}

/** An ad group, as the parent of keywords, ads and negatives. */
export interface AdGroupPlace extends CampaignPlace {
  /** Id in the platform's format, drawn from the seed. */
  readonly adGroupId: string;
}

/** An earlier change of a bid, budget or state. */
export interface PastChange {
  /** Kind of the entity. */
  readonly kind: "sp.keywords" | "sp.campaigns";
  /** Id of the entity. */
  readonly id: string;
  /** The field that changed. */
  readonly field: "bid" | "budget" | "state";
  /** Its value before the change. */
  readonly from: number | string;
  /** Days before now. */
  readonly daysAgo: number;
  /** Additional hours before that moment. @default 0 */
  readonly hours?: number;
}

const CHANGE_TYPES = { bid: "BID_AMOUNT", budget: "BUDGET_AMOUNT", state: "STATUS" } as const;

/**
 * A profile drawn for a task: entities, the demand for them, and their history.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS, drawTask } from "@platform/ads/arena";
 *
 * const [task] = ARENA_TASKS;
 * if (task !== undefined) for (const { country, currency } of drawTask(task, 1).profiles) console.log(country, currency);
 * ```
 */
export class ProfileDraft {
  /** Id in the platform's format, drawn from the seed. */
  readonly profileId: string;
  /** Country code of the market. */
  readonly country: string;
  /** Currency of the market, ISO 4217. */
  readonly currency: string;
  /** Current time, milliseconds since the epoch. */
  readonly now: number;
  readonly #draw: Draw;
  readonly #accountName: string;
  readonly #collections: Record<string, JsonObject[]> = {};
  readonly #byId = new Map<string, JsonObject>();
  readonly #levels: Record<string, ShopperLevel> = {};
  readonly #history: HistoryEvent[] = [];

  /** Draws a profile without entities. */
  constructor(draw: Draw, options: { country: string; now: number; accountName: string }) {
    const market = marketOf(options.country);
    if (market === undefined) {
      throw new ConfigurationError(`Cannot draw "${options.country}": unknown market`);
    }
    this.#draw = draw;
    this.country = options.country;
    this.currency = market.currency;
    this.now = options.now;
    this.profileId = draw.id();
    this.#accountName = options.accountName;
  }

  /** Day in the market, counted from today: -1 is yesterday. */
  day(offset: number): string {
    return addDays(dayIn(this.#market.timeZone, this.now), offset);
  }

  /** Draws a campaign of Sponsored Products. */
  campaign(
    name: string,
    options: { budget?: number; state?: string; auto?: boolean; portfolioId?: string; fields?: JsonObject } =
      {},
  ): CampaignPlace {
    const campaignId = this.#draw.id();
    this.add("sp.campaigns", {
      campaignId,
      name,
      state: options.state ?? "ENABLED",
      targetingType: options.auto ? "AUTO" : "MANUAL",
      budget: { budget: options.budget ?? 500, budgetType: "DAILY" },
      dynamicBidding: { strategy: "LEGACY_FOR_SALES", placementBidding: [] },
      startDate: "2025-11-03",
      ...(options.portfolioId === undefined ? {} : { portfolioId: options.portfolioId }),
      ...options.fields,
    });
    return { campaignId, name };
  }

  /** Draws an ad group within a campaign. */
  adGroup(
    campaign: CampaignPlace,
    options: { name?: string; bid?: number; asin?: string; sku?: string } = {},
  ): AdGroupPlace {
    const adGroupId = this.#draw.id();
    const { campaignId } = campaign;
    this.add("sp.ad_groups", {
      adGroupId,
      campaignId,
      name: options.name ?? "Main",
      state: "ENABLED",
      defaultBid: options.bid ?? 0.8,
    });
    this.ad({ ...campaign, adGroupId }, options);
    return { ...campaign, adGroupId };
  }

  /** Draws an ad of a product and returns its id. */
  ad(
    { campaignId, adGroupId }: AdGroupPlace,
    options: { asin?: string; sku?: string; state?: string } = {},
  ): string {
    const adId = this.#draw.id();
    const asin = options.asin ?? this.#draw.asin();
    const sku = options.sku ?? `SKU-${asin.slice(-5)}`;
    this.add("sp.product_ads", { adId, campaignId, adGroupId, asin, sku, state: options.state ?? "ENABLED" });
    return adId;
  }

  /** Draws a keyword and returns its id. */
  keyword(
    { campaignId, adGroupId }: AdGroupPlace,
    text: string,
    options: { bid: number; type?: string; state?: string; demand?: Demand; demandBid?: number },
  ): string {
    const keywordId = this.#draw.id();
    this.add("sp.keywords", {
      keywordId,
      campaignId,
      adGroupId,
      keywordText: text,
      matchType: options.type ?? "EXACT",
      state: options.state ?? "ENABLED",
      bid: options.bid,
    });
    this.#levels[keywordId] = levelOf(
      options.demand ?? { clicks: 0, orders: 0 },
      options.demandBid ?? options.bid,
    );
    return keywordId;
  }

  /** Draws automatic targeting of an ad group and returns its id. */
  automatic({ campaignId, adGroupId }: AdGroupPlace, bid: number, demand: Demand): string {
    const targetId = this.#draw.id();
    const expression = [{ type: "QUERY_HIGH_REL_MATCHES" }];
    this.add("sp.targets", {
      targetId,
      campaignId,
      adGroupId,
      expressionType: "AUTO",
      expression,
      resolvedExpression: expression,
      state: "ENABLED",
      bid,
    });
    this.#levels[targetId] = levelOf(demand, bid);
    return targetId;
  }

  /** Draws a negative keyword of an ad group and returns its id. */
  negative({ campaignId, adGroupId }: AdGroupPlace, text: string, type = "NEGATIVE_EXACT"): string {
    const keywordId = this.#draw.id();
    this.add("sp.negative_keywords", {
      keywordId,
      campaignId,
      adGroupId,
      keywordText: text,
      matchType: type,
      state: "ENABLED",
    });
    return keywordId;
  }

  /** Draws a negative keyword of a campaign and returns its id. */
  campaignNegative({ campaignId }: CampaignPlace, text: string, matchType: string): string {
    const keywordId = this.#draw.id();
    this.add("sp.campaign_negative_keywords", {
      keywordId,
      campaignId,
      keywordText: text,
      matchType,
      state: "ENABLED",
    });
    return keywordId;
  }

  /** Draws another profile of the account, in another market. */
  sibling(country: string): ProfileDraft {
    return new ProfileDraft(this.#draw, { country, now: this.now, accountName: this.#accountName });
  }

  /** Draws a portfolio and returns its id. */
  portfolio(name: string): string {
    const portfolioId = this.#draw.id();
    this.add("portfolios", { portfolioId, name, inBudget: true, state: "ENABLED" });
    return portfolioId;
  }

  /**
   * Draws a campaign in addition to those of the task, with one ad group and keywords that sell; returns the ids of
   * the keywords.
   */
  ordinary(
    line: ProductLine,
    options: { name?: string; budget?: number; words?: number; clicks?: number } = {},
  ): {
    readonly group: AdGroupPlace;
    readonly keywords: readonly string[];
  } {
    const name = options.name ?? `${line.name} Exact`;
    const group = this.adGroup(
      this.campaign(name, options.budget === undefined ? {} : { budget: options.budget }),
    );
    const keywords = line.words.slice(0, options.words ?? 3).map((text) =>
      this.keyword(group, text, {
        bid: this.#draw.money(0.6, 1.4),
        demand: {
          clicks: options.clicks ?? this.#draw.integer(3, 6),
          orders: 0.18,
          value: this.#draw.integer(25, 40),
        },
      })
    );
    return { group, keywords };
  }

  /** Records a past change; the entity already has the new value. */
  changed({ kind, id, field, from, daysAgo, hours = 0 }: PastChange): void {
    const entity = this.entity(kind, id);
    const isKeyword = kind === "sp.keywords";
    const to = field === "budget" ? (entity["budget"] as JsonObject)["budget"] : entity[field];
    this.#history.push({
      entityType: isKeyword ? "KEYWORD" : "CAMPAIGN",
      entityId: id,
      changeType: CHANGE_TYPES[field],
      previousValue: String(from),
      newValue: String(to),
      timestamp: this.now - daysAgo * DAY - hours * 3_600_000,
      metadata: {
        campaignId: requiredId(entity, "campaignId"),
        ...(isKeyword
          ? {
            adGroupId: requiredId(entity, "adGroupId"),
            keyword: String(entity["keywordText"]),
            keywordType: `KEYWORD_${entity["matchType"]}`,
          }
          : {}),
      },
    });
  }

  /** Adds an event to the history. */
  event(event: HistoryEvent): void {
    this.#history.push(event);
  }

  /** A drawn entity by its id. */
  entity(kind: string, id: string): JsonObject {
    const found = this.#byId.get(`${kind} ${id}`);
    if (found === undefined) throw new RangeError(`Cannot find ${kind} ${id} in the draft`);
    return found;
  }

  /** Adds an entity as the platform stores it. */
  add(kind: string, entity: JsonObject): void {
    (this.#collections[kind] ??= []).push(entity);
    // The first field is the id of an entity.
    this.#byId.set(`${kind} ${Object.values(entity)[0]}`, entity);
  }

  /** Returns past changes, oldest first. */
  history(): HistoryEvent[] {
    return this.#history.toSorted((a, b) => a.timestamp - b.timestamp);
  }

  /** The profile as the emulator loads it. */
  copy(account: string): ProfileCopy {
    const { region, timeZone } = this.#market;
    return {
      region,
      account,
      record: {
        profileId: this.profileId,
        countryCode: this.country,
        currencyCode: this.currency,
        dailyBudget: 999_999_999,
        timezone: timeZone,
        accountInfo: {
          marketplaceStringId: `A1ARENA${this.country}MARKET`,
          id: `ENTITY${this.profileId}`,
          type: "seller",
          name: this.#accountName,
          validPaymentMethod: true,
        },
      },
      collections: this.#collections,
      levels: { clauses: this.#levels, usual: USUAL, weekdays: [1, 1, 1, 1, 1, 1, 1] },
    };
  }

  get #market(): NonNullable<ReturnType<typeof marketOf>> {
    return marketOf(this.country)!;
  }
}

const USUAL = Object.fromEntries(
  ["EXACT", "PHRASE", "BROAD", "TARGETING_EXPRESSION", "TARGETING_EXPRESSION_PREDEFINED"].map((type) => [
    type,
    levelOf({ clicks: 2, orders: 0.1 }, 0.8),
  ]),
);

function levelOf({ clicks, orders, value = 30 }: Demand, bid: number): ShopperLevel {
  return {
    impressions: clicks / CLICK_RATE,
    bid,
    clickRate: CLICK_RATE,
    costShare: 0.7,
    orderRate: orders,
    orderValue: value,
  };
}

export function copyOf(profiles: readonly ProfileDraft[], now: number): AccountCopy {
  return {
    takenAt: new Date(now).toISOString(),
    profiles: profiles.map((profile) => profile.copy(profiles[0]!.profileId)),
  };
}
