import { dayAt, daySpans, eachDay } from "../../core/day_span.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { type AdGroupDay, campaignDay } from "../../traffic/campaign_day.ts";
import { type Click, PLACEMENTS } from "../../traffic/clause_day.ts";
import { Market, share } from "../../traffic/market.ts";
import { type Family, readCampaigns } from "../../traffic/read_campaigns.ts";
import type { ServedAdGroup, ServedCampaign, ServedClause } from "../../traffic/served_campaign.ts";
import { advertisedProducts } from "../../traffic/vocabulary.ts";

/** Epoch milliseconds; the end is exclusive. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

type Row = Readonly<Record<string, string | number | null>>;

interface Source {
  readonly profile: ProfileState;
  readonly seed: string;
  readonly asOf: number;
  readonly window: TimeWindow;
}

const DAY = 86_400_000;
/** Attribution window in milliseconds. */
const LOOK_BACK = 14 * DAY;
const KEPT = 396 * DAY;
const USERS = 6_000;
const SHOWN_ROWS = 3;
const MICRO = 100_000_000;
const PRODUCTS: Readonly<Record<Family, string>> = {
  sp: "sponsored_products",
  sb: "sponsored_brands",
  sd: "sponsored_display",
};

export function* tableRows(table: string, source: Source): Generator<Row> {
  const { start, end } = source.window;
  const window = { start: Math.max(start, source.asOf - KEPT), end: Math.min(end, source.asOf) };
  const within = (moment: number): boolean => moment >= window.start && moment < window.end;
  if (table === "sponsored_ads_traffic") {
    for (const place of traffic(source, window)) yield* trafficRows(place, source, within);
    return;
  }
  const byTraffic = table === "platform_attributed_events_by_traffic_time";
  for (const place of traffic(source, byTraffic ? window : { ...window, start: window.start - LOOK_BACK })) {
    for (const click of place.clicks) {
      const sold = soldAt(click);
      if (sold === undefined || sold > source.asOf || !within(byTraffic ? click.moment : sold)) continue;
      yield table === "conversions" ? saleRow(place, click, sold) : attributedRow(place, click, sold);
    }
  }
}

interface Place {
  readonly campaign: ServedCampaign;
  readonly adGroup: ServedAdGroup;
  readonly clause: ServedClause;
  readonly family: Family;
  readonly profile: ProfileState;
  readonly unit: number;
  readonly seed: string;
  readonly day: { readonly start: number; readonly end: number };
  readonly shown: number;
  readonly clicks: readonly Click[];
}

function* traffic({ profile, seed, asOf }: Source, { start, end }: TimeWindow): Generator<Place> {
  if (end <= start) return;
  const market = new Market(profile, { seed, asOf });
  const asins = advertisedProducts(profile);
  const { timeZone, unit } = market;
  const spans = daySpans(eachDay(dayAt(start, timeZone), dayAt(end - 1, timeZone)), timeZone);
  for (const family of ["sp", "sb", "sd"] as const) {
    for (const campaign of readCampaigns(profile, family, market)) {
      for (const day of spans) {
        const groups: readonly AdGroupDay[] = campaignDay(campaign, day, { market, asins });
        for (const { adGroup, clauses } of groups) {
          for (const { clause, impressions, clicks } of clauses) {
            const shown = impressions - clicks.length;
            const at = { start: day.start, end: Math.min(day.end, asOf) };
            yield { campaign, adGroup, clause, family, profile, unit, seed, day: at, shown, clicks };
          }
        }
      }
    }
  }
}

function* trafficRows(place: Place, source: Source, within: (moment: number) => boolean): Generator<Row> {
  const { clause, clicks, day, shown, unit } = place;
  const rows = Math.min(shown, SHOWN_ROWS);
  for (let row = 0; row < rows; row++) {
    const dice = share(`${source.seed} shown ${clause.id} ${day.start} ${row}`);
    const moment = day.start + Math.floor(dice * (day.end - day.start));
    if (!within(moment)) continue;
    const impressions = Math.floor((shown * (row + 1)) / rows) - Math.floor((shown * row) / rows);
    const placement = PLACEMENTS[Math.floor(dice * 997) % PLACEMENTS.length];
    yield {
      ...eventOf(place, moment, placement),
      customer_search_term: null,
      impressions,
      clicks: 0,
      spend: 0,
    };
  }
  for (const click of clicks) {
    const { moment, placement, term, cost } = click;
    if (!within(moment)) continue;
    yield {
      ...eventOf(place, moment, PLACEMENTS[placement]),
      customer_search_term: term,
      impressions: 1,
      clicks: 1,
      spend: Math.round(cost / unit * MICRO),
    };
  }
}

function eventOf(place: Place, moment: number, placement: string | undefined): Row {
  const time = timeText(moment);
  return {
    event_dt_utc: time,
    event_date_utc: time.slice(0, 10),
    event_hour_utc: Number(time.slice(11, 13)),
    ...campaignFields(place),
    match_type: place.clause.type,
    placement_type: placement ?? null,
    ...userOf(place, moment),
  };
}

function attributedRow(place: Place, click: Click, sold: number): Row {
  const { order } = click;
  return {
    traffic_event_dt_utc: timeText(click.moment),
    traffic_event_date_utc: dayText(click.moment),
    conversion_event_dt_utc: timeText(sold),
    conversion_event_date_utc: dayText(sold),
    ...campaignFields(place),
    tracked_item: order?.asin ?? null,
    conversions: 1,
    purchases: 1,
    units_sold: order?.units ?? 0,
    product_sales: (order?.sales ?? 0) / place.unit,
    new_to_brand_purchases: order?.newToBrand ? 1 : 0,
    ...userOf(place, click.moment),
  };
}

function saleRow(place: Place, { order, moment }: Click, sold: number): Row {
  return {
    event_dt_utc: timeText(sold),
    event_date_utc: dayText(sold),
    event_type: "purchase",
    tracked_item: order?.asin ?? null,
    conversions: 1,
    total_units_sold: order?.units ?? 0,
    total_product_sales: (order?.sales ?? 0) / place.unit,
    ...userOf(place, moment),
  };
}

function soldAt({ moment, order }: Click): number | undefined {
  return order === undefined ? undefined : Math.min(order.knownAt, moment + order.lag * DAY + DAY / 48);
}

function campaignFields({ campaign, adGroup, clause, family, profile }: Place): Row {
  const { accountInfo } = profile.record;
  return {
    advertiser: accountInfo.name,
    entity_id: accountInfo.id,
    campaign: String(campaign.entity.name),
    campaign_id_string: campaign.id,
    ad_group: String(adGroup.entity.name ?? ""),
    ad_product_type: PRODUCTS[family],
    targeting: clause.text,
  };
}

function userOf({ profile, seed, clause }: Place, moment: number): Row {
  const number = Math.floor(share(`${seed} user ${profile.id} ${clause.id} ${moment}`) * USERS);
  return { user_id: `u${profile.id.slice(-4)}-${number.toString(36)}`, user_id_type: "adUserId" };
}

function timeText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace("T", " ");
}

function dayText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
