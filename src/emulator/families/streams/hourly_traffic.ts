import type { ProfileState } from "../../state/profile_state.ts";
import { type AdGroupDay, campaignDay } from "../../traffic/campaign_day.ts";
import { type Click, PLACEMENT_WEIGHTS } from "../../traffic/clause_day.ts";
import { dayAt, type DaySpan, daySpan, eachDay } from "../../core/day_span.ts";
import { Market, share } from "../../traffic/market.ts";
import { type Family, readCampaigns } from "../../traffic/read_campaigns.ts";
import type { ServedAd, ServedAdGroup, ServedCampaign, ServedClause } from "../../traffic/served_campaign.ts";
import { type AdvertisedProducts, advertisedProducts } from "../../traffic/vocabulary.ts";

export interface HourPlace {
  /** Start of the hour, in epoch milliseconds. */
  readonly hour: number;
  readonly campaign: ServedCampaign;
  readonly adGroup: ServedAdGroup;
  readonly clause: ServedClause;
  readonly ad: ServedAd | undefined;
  readonly placement: number;
}

export type HourChange =
  & HourPlace
  & (
    | { readonly kind: "impressions"; readonly count: number }
    | { readonly kind: "click" | "order"; readonly click: Click; readonly sign: 1 | -1 }
  );

interface ClauseState {
  readonly dayStart: number;
  readonly campaign: ServedCampaign;
  readonly adGroup: ServedAdGroup;
  readonly clause: ServedClause;
  readonly ads: readonly ServedAd[];
  readonly shown: number;
  readonly clicks: ReadonlyMap<string, Click>;
}

interface DayState {
  readonly span: DaySpan;
  readonly phase: string;
  readonly clauses: ReadonlyMap<string, ClauseState>;
}

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** Days after which a day's figures are final. */
const KNOWN_AFTER = 45;
/** Share of clicks that are counted twice until the invalid copy is withdrawn. */
const INVALID = 0.03;
const INVALID_FOR = 30 * HOUR;

/**
 * Splits traffic into hourly changes that add up to the growth of the reports. Invalid clicks count until they are
 * withdrawn after 30 hours.
 */
export class HourlyTraffic {
  readonly #profile: ProfileState;
  readonly #family: Family;
  readonly #seed: string;
  readonly #from: number;
  #days = new Map<string, DayState>();
  #reached: number;
  #entities: { campaigns: readonly ServedCampaign[]; asins: AdvertisedProducts } | undefined;

  /**
   * @param at.from Skips hours that start earlier.
   * @param at.reached Skips changes known by then.
   */
  constructor(
    profile: ProfileState,
    { family, seed, from, reached }: { family: Family; seed: string; from: number; reached: number },
  ) {
    this.#profile = profile;
    this.#family = family;
    this.#seed = seed;
    this.#from = from;
    this.#reached = reached;
    [...this.#step(reached)];
  }

  get reached(): number {
    return this.#reached;
  }

  forgetEntities(): void {
    this.#entities = undefined;
  }

  *advance(to: number): Generator<HourChange> {
    yield* this.#step(to);
    this.#reached = to;
  }

  *#step(to: number): Generator<HourChange> {
    const market = new Market(this.#profile, { seed: this.#seed, asOf: to });
    const first = Math.max(this.#from, to - KNOWN_AFTER * DAY);
    const days = eachDay(dayAt(first, market.timeZone), dayAt(to - 1, market.timeZone));
    const next = new Map<string, DayState>();
    for (const day of days) {
      const before = this.#days.get(day);
      const span = before?.span ?? daySpan(day, market.timeZone);
      const phase = to < span.end ? `${to}` : `${Math.min(3, Math.floor((to - span.end) / DAY))} after`;
      if (before?.phase === phase) {
        next.set(day, before);
      } else {
        next.set(day, { span, phase, clauses: this.#read(span, market) });
      }
      yield* this.#changes(before, next.get(day)!, to);
    }
    this.#days = next;
  }

  #read(span: DaySpan, market: Market): Map<string, ClauseState> {
    this.#entities ??= {
      campaigns: readCampaigns(this.#profile, this.#family, market),
      asins: advertisedProducts(this.#profile),
    };
    const { campaigns, asins } = this.#entities;
    return new Map(
      campaigns.flatMap((campaign) =>
        campaignDay(campaign, span, { market, asins }).flatMap((group) => clausesOf(campaign, group, span))
      ),
    );
  }

  *#changes(before: DayState | undefined, after: DayState, to: number): Generator<HourChange> {
    const from = this.#reached;
    for (const [id, now] of after.clauses) {
      const old = before?.clauses.get(id);
      if (old !== now) yield* this.#impressions(old, now, after.span);
      for (const [key, click] of now.clicks) {
        const isNew = old?.clicks.has(key) !== true;
        yield* this.#clickChanges(now, click, { isNew, from, to });
      }
      for (const [key, click] of old === now ? [] : old?.clicks ?? []) {
        if (!now.clicks.has(key)) yield* this.#withdrawn(now, click, from);
      }
    }
    for (const [id, old] of before === after ? [] : before?.clauses ?? []) {
      if (after.clauses.has(id)) continue;
      yield* this.#impressions(old, { ...old, shown: 0 }, after.span);
      for (const click of old.clicks.values()) yield* this.#withdrawn(old, click, from);
    }
  }

  *#impressions(old: ClauseState | undefined, now: ClauseState, span: DaySpan): Generator<HourChange> {
    const count = now.shown - (old?.shown ?? 0);
    if (count === 0) return;
    // Of a day that is over, hours are corrected one after the other.
    const hours = Math.round((span.end - span.start) / HOUR);
    const luck = share(`${this.#seed} late ${now.clause.id} ${span.day} ${now.shown}`);
    const isRunning = this.#reached < span.end;
    const hour = isRunning
      ? Math.max(span.start, hourOf(this.#reached, span.start))
      : span.start + Math.floor(luck * hours) * HOUR;
    if (hour < this.#from) return;
    const dice = share(`${this.#seed} place ${now.clause.id} ${hour}`);
    const ad = now.ads[Math.floor(dice * now.ads.length)];
    yield { ...placeOf(now), kind: "impressions", hour, ad, placement: weighted(dice), count };
  }

  *#clickChanges(
    place: ClauseState,
    click: Click,
    { isNew, from, to }: { isNew: boolean; from: number; to: number },
  ): Generator<HourChange> {
    const at = this.#at(place, click);
    if (at === undefined) return;
    if (isNew) yield { ...at, kind: "click", click, sign: 1 };
    if (this.#hasInvalidCopy(click)) {
      const until = click.moment + INVALID_FOR;
      if (isNew && to < until) yield { ...at, kind: "click", click, sign: 1 };
      if (!isNew && from < until && until <= to) yield { ...at, kind: "click", click, sign: -1 };
    }
    const knownAt = click.order?.knownAt ?? Infinity;
    if (knownAt <= to && (isNew || knownAt > from)) yield { ...at, kind: "order", click, sign: 1 };
  }

  *#withdrawn(place: ClauseState, click: Click, from: number): Generator<HourChange> {
    const at = this.#at(place, click);
    if (at === undefined) return;
    yield { ...at, kind: "click", click, sign: -1 };
    if (this.#hasInvalidCopy(click) && from < click.moment + INVALID_FOR) {
      yield { ...at, kind: "click", click, sign: -1 };
    }
    if ((click.order?.knownAt ?? Infinity) <= from) yield { ...at, kind: "order", click, sign: -1 };
  }

  #at(place: ClauseState, { moment, ad, placement }: Click): HourPlace | undefined {
    const hour = hourOf(moment, place.dayStart);
    return hour < this.#from ? undefined : { ...placeOf(place), hour, ad, placement };
  }

  #hasInvalidCopy({ moment, cost }: Click): boolean {
    return share(`${this.#seed} invalid ${moment} ${cost}`) < INVALID;
  }
}

function clausesOf(
  campaign: ServedCampaign,
  { adGroup, ads, clauses }: AdGroupDay,
  { start }: DaySpan,
): [string, ClauseState][] {
  return clauses.map(({ clause, impressions, clicks }) => {
    const byKey = new Map<string, Click>();
    for (const click of clicks) {
      let key = `${click.moment} ${click.cost} ${click.ad.id}`;
      while (byKey.has(key)) key += " again";
      byKey.set(key, click);
    }
    const shown = impressions - clicks.length;
    return [`${adGroup.id} ${clause.id}`, {
      dayStart: start,
      campaign,
      adGroup,
      clause,
      ads,
      shown,
      clicks: byKey,
    }];
  });
}

function hourOf(moment: number, dayStart: number): number {
  return dayStart + Math.floor((moment - dayStart) / HOUR) * HOUR;
}

function placeOf(
  { campaign, adGroup, clause }: ClauseState,
): Pick<HourPlace, "campaign" | "adGroup" | "clause"> {
  return { campaign, adGroup, clause };
}

function weighted(dice: number): number {
  let rest = dice * PLACEMENT_WEIGHTS.reduce((sum, weight) => sum + weight, 0);
  return Math.max(0, PLACEMENT_WEIGHTS.findIndex((weight) => (rest -= weight) < 0));
}
