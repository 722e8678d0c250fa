import { daySpan, eachDay } from "../core/day_span.ts";
import { isObject, type JsonObject, objectsIn } from "../core/json.ts";
import type { ProfileState } from "../state/profile_state.ts";
import {
  blockedKeyword,
  blockedTarget,
  type BlockedTerm,
  type ServedAd,
  type ServedAdGroup,
  type ServedCampaign,
  type ServedClause,
} from "./served_campaign.ts";
import { campaignDay } from "./campaign_day.ts";
import { Life, PastValues, type Timeline } from "./timeline.ts";
import { Market } from "./market.ts";
import {
  budgetRaises,
  type FiguresOf,
  optimizationRaises,
  type PastFigures,
  type RaiseOf,
} from "./rule_raises.ts";
import { describeTarget, shopperBehavior } from "./shopper_behavior.ts";
import { type AdvertisedProducts, advertisedProducts, expressionOf, Vocabulary } from "./vocabulary.ts";

const LIFETIME_DAYS = 120;

export type Family = "sp" | "sb" | "sd";

/** Reads the campaigns, including campaigns that are no longer active. */
export function readCampaigns(profile: ProfileState, family: Family, market: Market): ServedCampaign[] {
  return new Reader(profile, family, market).campaigns();
}

class Reader {
  readonly #profile: ProfileState;
  readonly #family: Family;
  readonly #market: Market;
  readonly #past: PastValues;
  readonly #bidRaise: RaiseOf;
  readonly #budgetRaise: RaiseOf;
  readonly #reader: PastReader;
  #words: { readonly at: number; readonly vocabulary: Vocabulary } | undefined;

  constructor(profile: ProfileState, family: Family, market: Market) {
    this.#profile = profile;
    this.#family = family;
    this.#market = market;
    this.#past = new PastValues(profile.history());
    const rulesOf = (category: "BID" | "BUDGET"): RaiseOf =>
      family === "sp" ? optimizationRaises(profile, { market, category }) : () => undefined;
    this.#bidRaise = rulesOf("BID");
    const raises = [budgetRaises(profile, { family, market }), rulesOf("BUDGET")];
    this.#budgetRaise = (id, figures) => {
      const own = raises.flatMap((raiseOf) => raiseOf(id, figures) ?? []);
      return own.length === 0 ? undefined : (moment) => own.reduce((sum, raise) => sum + raise(moment), 0);
    };
    this.#reader = new PastReader(profile, market);
  }

  campaigns(): ServedCampaign[] {
    const adGroups = byField(this.#all("ad_groups"), "campaignId");
    const parts = {
      ads: byField(this.#all(this.#family === "sb" ? "ads" : "product_ads"), "adGroupId"),
      keywords: byField(this.#family === "sd" ? [] : this.#all("keywords"), "adGroupId"),
      themes: byField(this.#all("themes"), "adGroupId"),
      targets: byField(this.#all("targets"), "adGroupId"),
    };
    const blocked = this.#blocked();
    return this.#all("campaigns").map((entity) => {
      const id = String(entity.campaignId);
      const figures: FiguresOf = (first, last) => this.#reader.figures(campaign, first, last);
      const campaign: ServedCampaign = {
        ...this.#campaign(entity, id, figures),
        adGroups: (adGroups.get(id) ?? []).map((adGroup) => {
          const adGroupId = String(adGroup.adGroupId);
          return {
            ...this.#adGroup(adGroup, adGroupId),
            ads: (parts.ads.get(adGroupId) ?? []).map((ad) => this.#ad(ad)).filter(everOn),
            clauses: [
              ...(parts.themes.get(adGroupId) ?? []).map((theme) => this.#theme(theme)),
              ...(parts.keywords.get(adGroupId) ?? []).map((keyword) => this.#keyword(keyword)),
              ...(parts.targets.get(adGroupId) ?? []).map((target) => this.#target(target)),
            ].filter(everOn),
            blocked: [...blocked.get(id) ?? [], ...blocked.get(adGroupId) ?? []],
          };
        }).filter(everOn),
      };
      return campaign;
    }).filter(everOn);
  }

  #all(kind: string): readonly JsonObject[] {
    return this.#profile.collection(`${this.#family}.${kind}`).all();
  }

  #campaign(entity: JsonObject, id: string, figures: FiguresOf): Omit<ServedCampaign, "adGroups"> {
    const isObjectBudget = isObject(entity.budget);
    const amount = Number(isObjectBudget ? (entity.budget as JsonObject).budget : entity.budget);
    const budgetType = String(isObjectBudget ? (entity.budget as JsonObject).budgetType : entity.budgetType);
    const share = budgetType === "LIFETIME" ? LIFETIME_DAYS : 1;
    const course = (parts: number) =>
      this.#past.of(id, "BUDGET_AMOUNT", { now: amount / parts, read: (text) => Number(text) / parts });
    return {
      id,
      entity,
      life: new Life(entity, id, this.#past),
      budget: course(1),
      dailyBudget: course(share),
      budgetType,
      premiums: [
        this.#premium(entity, id, ["TOP_OF_SEARCH", "PLACEMENT_TOP"]),
        // Prices of Brands at other placements are those of their kinds of page, which are one here.
        ...(this.#family !== "sp" ? [] : [
          this.#premium(entity, id, ["DETAIL_PAGE", "PLACEMENT_PRODUCT_PAGE"]),
          this.#premium(entity, id, [undefined, "PLACEMENT_REST_OF_SEARCH"]),
        ]),
      ],
      raise: this.#bidRaise(id, figures),
      budgetRaise: budgetType === "LIFETIME" ? undefined : this.#budgetRaise(id, figures),
      startDay: this.#past.of(id, "START_DATE", { now: dayOf(entity.startDate), read: dayOf }),
      endDay: this.#past.of(id, "END_DATE", { now: dayOf(entity.endDate), read: dayOf }),
    };
  }

  #premium(
    entity: JsonObject,
    id: string,
    [position, placement]: readonly [position: string | undefined, placement: string],
  ): Timeline<number> {
    return this.#past.of(id, "PLACEMENT_GROUP", {
      now: premiumOf(entity, [position, placement]),
      read: Number,
      where: ({ metadata }) => metadata.placementGroupPosition === position,
    });
  }

  #adGroup(entity: JsonObject, id: string): Omit<ServedAdGroup, "ads" | "clauses" | "blocked"> {
    const { usualBid } = this.#market;
    const now = typeof entity.defaultBid === "number" ? entity.defaultBid : usualBid;
    const read = (text: string | null) => text === null ? usualBid : Number(text);
    const defaultBid = this.#past.of(id, "BID_AMOUNT", { now, read });
    return { id, entity, life: new Life(entity, id, this.#past), defaultBid };
  }

  #ad(entity: JsonObject): ServedAd {
    const id = String(entity.adId);
    const { asins } = (entity.creative ?? {}) as JsonObject;
    const shown = Array.isArray(asins)
      ? asins.map(String)
      : typeof entity.asin === "string"
      ? [entity.asin]
      : [];
    return { id, entity, life: new Life(entity, id, this.#past), asins: shown };
  }

  #keyword(entity: JsonObject): ServedClause {
    const id = String(entity.keywordId);
    const [text, type] = [String(entity.keywordText), String(entity.matchType).toUpperCase()];
    return this.#clause(entity, { id, type, text }, () => this.#wordsAt(id).termsOfKeyword(text, type, id));
  }

  #target(entity: JsonObject): ServedClause {
    const id = String(entity.targetId);
    const expression = expressionOf(entity);
    const type = entity.expressionType === "AUTO"
      ? "TARGETING_EXPRESSION_PREDEFINED"
      : "TARGETING_EXPRESSION";
    const text = describeTarget(expression);
    return this.#clause(entity, { id, type, text }, () => this.#wordsAt(id).termsOfTarget(expression, id));
  }

  #theme(entity: JsonObject): ServedClause {
    const id = String(entity.themeId);
    const text = String(entity.themeType).toLowerCase().replaceAll("_", "-");
    const expression = [{ type: "QUERY_HIGH_REL_MATCHES" }];
    return this.#clause(
      entity,
      { id, type: "THEME", text },
      () => this.#wordsAt(id).termsOfTarget(expression, id),
    );
  }

  /** Words known when the target was created, so that later words do not change its search terms. */
  #wordsAt(id: string): Vocabulary {
    const at = this.#past.creationOf(id) ?? -Infinity;
    if (this.#words?.at !== at) {
      const isKnown = (keywordId: string) => (this.#past.creationOf(keywordId) ?? -Infinity) <= at;
      this.#words = { at, vocabulary: new Vocabulary(this.#profile, isKnown) };
    }
    return this.#words.vocabulary;
  }

  #clause(
    entity: JsonObject,
    identity: Pick<ServedClause, "id" | "type" | "text">,
    makeTerms: () => string[],
  ): ServedClause {
    const { id } = identity;
    let terms: string[] | undefined;
    const now = typeof entity.bid === "number" ? entity.bid : undefined;
    const read = (text: string | null) => text === null ? undefined : Number(text);
    return {
      ...identity,
      entity,
      life: new Life(entity, id, this.#past),
      bid: this.#past.of(id, "BID_AMOUNT", { now, read }),
      ...shopperBehavior(identity, this.#market),
      terms: () => terms ??= makeTerms(),
    };
  }

  #blocked(): Map<string, BlockedTerm[]> {
    const owned = this.#family === "sp"
      ? [
        ...this.#owned("campaign_negative_keywords", "campaignId", blockedKeyword),
        ...this.#owned("campaign_negative_targets", "campaignId", blockedTarget),
        ...this.#owned("negative_keywords", "adGroupId", blockedKeyword),
        ...this.#owned("negative_targets", "adGroupId", blockedTarget),
      ]
      : this.#family === "sb"
      ? [
        ...this.#owned("negative_keywords", "adGroupId", blockedKeyword),
        ...this.#owned("negative_targets", "adGroupId", blockedTarget),
      ]
      : this.#owned("negative_targets", "adGroupId", blockedTarget);
    const byOwner = new Map<string, BlockedTerm[]>();
    for (const [owner, blocked] of owned) {
      const known = byOwner.get(owner);
      if (known === undefined) byOwner.set(owner, [blocked]);
      else known.push(blocked);
    }
    return byOwner;
  }

  #owned(
    kind: string,
    field: string,
    read: (entity: JsonObject, past: PastValues) => BlockedTerm,
  ): [owner: string, blocked: BlockedTerm][] {
    return this.#all(kind).map((entity) => [String(entity[field]), read(entity, this.#past)]);
  }
}

function dayOf(date: unknown): string {
  return typeof date === "string" ? date.replaceAll("-", "") : "";
}

function premiumOf(campaign: JsonObject, names: readonly (string | undefined)[]): number {
  const products = (campaign.dynamicBidding as JsonObject | undefined)?.placementBidding;
  const brands = (campaign.bidding as JsonObject | undefined)?.bidAdjustmentsByPlacement;
  const adjustments = [products, brands].flatMap((list) => objectsIn(list) ?? []);
  const found = adjustments.find(({ placement }) =>
    typeof placement === "string" && names.includes(placement)
  );
  return Number(found?.percentage ?? 0);
}

function byField(entities: readonly JsonObject[], field: string): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const entity of entities) {
    const key = String(entity[field]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entity]);
    else group.push(entity);
  }
  return groups;
}

function everOn({ life }: { readonly life: Life }): boolean {
  return life.everOn;
}

interface PastDay {
  readonly impressions: number;
  readonly clicks: number;
  readonly cost: number;
  readonly topShares: readonly number[];
  readonly orders: readonly {
    readonly knownAt: number;
    readonly sales: number;
    readonly newToBrand: boolean;
  }[];
}

/** Reads figures of past days. Rules may also depend on figures of earlier days, so each day is computed only once. */
class PastReader {
  readonly #profile: ProfileState;
  readonly #market: Market;
  readonly #days = new Map<string, PastDay>();
  readonly #sums = new Map<string, PastFigures>();
  #asins: AdvertisedProducts | undefined;

  constructor(profile: ProfileState, { seed }: Pick<Market, "seed">) {
    this.#profile = profile;
    // What is over does not change any more.
    this.#market = new Market(profile, { seed, asOf: Number.MAX_SAFE_INTEGER });
  }

  figures(campaign: ServedCampaign, first: string, last: string): PastFigures {
    const key = `${campaign.id} ${first} ${last}`;
    let sums = this.#sums.get(key);
    if (sums === undefined) this.#sums.set(key, sums = this.#sum(campaign, first, last));
    return sums;
  }

  #sum(campaign: ServedCampaign, first: string, last: string): PastFigures {
    const days = eachDay(first, last).map((day) => this.#day(campaign, day));
    const { end } = daySpan(last, this.#market.timeZone);
    const orders = days.flatMap((day) => day.orders).filter(({ knownAt }) => knownAt <= end);
    const shares = days.flatMap(({ topShares }) => topShares);
    const total = (valueOf: (day: PastDay) => number): number =>
      days.reduce((sum, day) => sum + valueOf(day), 0);
    return {
      impressions: total(({ impressions }) => impressions),
      clicks: total(({ clicks }) => clicks),
      cost: total(({ cost }) => cost) / this.#market.unit,
      orders: orders.length,
      sales: orders.reduce((sum, { sales }) => sum + sales, 0) / this.#market.unit,
      newToBrand: orders.filter(({ newToBrand }) => newToBrand).length,
      topShare: shares.reduce((sum, one) => sum + one, 0) / shares.length,
    };
  }

  #day(campaign: ServedCampaign, day: string): PastDay {
    const key = `${campaign.id} ${day}`;
    let found = this.#days.get(key);
    if (found === undefined) {
      const market = this.#market;
      const asins = this.#asins ??= advertisedProducts(this.#profile);
      const clauses = campaignDay(campaign, daySpan(day, market.timeZone), { market, asins })
        .flatMap((group) => group.clauses);
      const clicks = clauses.flatMap((clause) => clause.clicks);
      found = {
        impressions: clauses.reduce((sum, { impressions }) => sum + impressions, 0),
        clicks: clicks.length,
        cost: clicks.reduce((sum, { cost }) => sum + cost, 0),
        topShares: clauses.map(({ topShare }) => topShare),
        orders: clicks.flatMap(({ order }) => order ?? []),
      };
      this.#days.set(key, found);
    }
    return found;
  }
}
