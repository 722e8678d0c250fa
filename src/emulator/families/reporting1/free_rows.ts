import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { campaignDay } from "../../traffic/campaign_day.ts";
import { daySpans, eachDay, offsetsOf } from "../../core/day_span.ts";
import { Market } from "../../traffic/market.ts";
import { type Family, readCampaigns } from "../../traffic/read_campaigns.ts";
import { advertisedProducts } from "../../traffic/vocabulary.ts";
import type { ReportFacts, RowSubject } from "../reports/column.ts";
import {
  byAd,
  byAdGroup,
  byCampaign,
  byPlacement,
  byPurchase,
  bySearchTerm,
  byTargeting,
  type TrafficSplit,
} from "../reports/split_traffic.ts";
import { Tally } from "../reports/tally.ts";
import { dimensionValue, type FreeValue, metricValue, type RowPlace } from "./free_fields.ts";
import type { FreeReport, RowFilter } from "./free_report.ts";
import { isMetric } from "./field_rules.ts";
import { HoursOfDay, WallClock } from "./hours_of_day.ts";

const FAMILIES: readonly Family[] = ["sp", "sb", "sd"];

/** Traffic splits by dimension. The first entry with a dimension in the report decides. */
const SPLITS: readonly (readonly [dimensions: readonly string[], split: TrafficSplit])[] = [
  [["convertedProduct", "convertedProductMarketplace"], byPurchase],
  [["searchTerm", "matchedTarget"], bySearchTerm],
  [["ad", "advertisedProduct"], byAd],
  [["placementClassification"], byPlacement],
  [["target"], byTargeting],
  [["adGroup"], byAdGroup],
];

interface FreeRow {
  readonly place: RowPlace;
  readonly sums: Map<Family, Tally>;
}

export function* freeRows(report: FreeReport, state: EmulatorState): Generator<string> {
  const { fields, profileIds } = report;
  const dimensions = fields.filter((name) => !isMetric(name));
  const isByCampaign = fields.includes("campaign.id");
  const rows = new Map<string, FreeRow>();
  for (const id of profileIds) {
    const profile = state.profile(id);
    if (profile === undefined) continue;
    for (const _campaign of collect({ report, profile, seed: state.seed, dimensions, rows })) {
      if (!isByCampaign) continue;
      yield* texts(rows, fields);
      rows.clear();
    }
  }
  yield* texts(rows, fields);
}

interface Collecting {
  readonly report: FreeReport;
  readonly profile: ProfileState;
  readonly seed: string;
  readonly dimensions: readonly string[];
  readonly rows: Map<string, FreeRow>;
}

function* collect({ report, profile, seed, dimensions, rows }: Collecting): Generator<void> {
  const { startDate, endDate, endsAt: asOf, filter, currencyOfView } = report;
  const market = new Market(profile, { seed, asOf });
  const asins = advertisedProducts(profile);
  const facts = factsOf(report, profile, market);
  const offsetAt = offsetsOf(market.timeZone);
  const spans = daySpans(eachDay(startDate, endDate), market.timeZone);
  const named = new Set([...dimensions, ...filteredBy(filter)]);
  const parts = new Set([...named].map((name) => name.split(".")[0]));
  const split = SPLITS.find(([names]) => names.some((name) => parts.has(name)))?.[1] ?? byCampaign;
  const sumsOf = (place: RowPlace): Tally => {
    const values = dimensions.map((name) => dimensionValue(name, place));
    if (!passes(filter, place)) return new Tally();
    const key = JSON.stringify(values);
    let row = rows.get(key);
    if (row === undefined) rows.set(key, row = { place, sums: new Map() });
    let tally = row.sums.get(place.family);
    if (tally === undefined) row.sums.set(place.family, tally = new Tally());
    return tally;
  };

  for (const family of FAMILIES) {
    for (const campaign of readCampaigns(profile, family, market)) {
      for (const span of spans) {
        const at = (subject: Omit<RowSubject, "campaign">, hour: number): RowPlace => ({
          profile,
          facts,
          family,
          currencyOfView,
          subject: { campaign, ...subject },
          day: span.day,
          hour,
        });
        const traffic = campaignDay(campaign, span, { market, asins });
        if (named.has("hour.value")) {
          byHours(
            { clock: new WallClock(span, offsetAt), asOf, split: (row) => split(traffic, row, asOf) },
            (s, h) => sumsOf(at(s, h)),
          );
        } else split(traffic, (_key, subject) => sumsOf(at(subject, -1)), asOf);
      }
      yield;
    }
  }
}

function byHours(
  { clock, asOf, split }: {
    clock: WallClock;
    asOf: number;
    split: (row: (key: string, subject: Omit<RowSubject, "campaign">) => Tally) => void;
  },
  sumsOf: (subject: Omit<RowSubject, "campaign">, hour: number) => Tally,
): void {
  const days = new Map<string, { subject: Omit<RowSubject, "campaign">; hours: HoursOfDay }>();
  split((key, subject) => {
    let day = days.get(key);
    if (day === undefined) days.set(key, day = { subject, hours: new HoursOfDay(clock, asOf) });
    return day.hours;
  });
  for (const { subject, hours } of days.values()) hours.divide((hour) => sumsOf(subject, hour));
}

function* texts(rows: ReadonlyMap<string, FreeRow>, fields: readonly string[]): Generator<string> {
  for (const { place, sums } of rows.values()) {
    const value = (name: string): FreeValue =>
      isMetric(name) ? metricValue(name, sums, place) : dimensionValue(name, place);
    yield JSON.stringify(Object.fromEntries(fields.map((name) => [name, value(name)])));
  }
}

function filteredBy(filter: RowFilter | undefined): string[] {
  if (filter === undefined) return [];
  return "and" in filter ? filter.and.filters.flatMap(filteredBy) : [filter.on.field];
}

function passes(filter: RowFilter | undefined, place: RowPlace): boolean {
  if (filter === undefined) return true;
  if ("and" in filter) return filter.and.filters.every((one) => passes(one, place));
  const { field, values, not } = filter.on;
  return values.includes(String(dimensionValue(field, place))) !== not;
}

function factsOf(
  { startDate, endDate, endsAt: asOf }: FreeReport,
  { record }: ProfileState,
  { currencyCode, unit }: Market,
): ReportFacts {
  const { countryCode, timezone, accountInfo } = record;
  return {
    asOf,
    startDate,
    endDate,
    currencyCode,
    unit,
    account: { ...accountInfo, countryCode, timezone },
    marketplaceId: accountInfo.marketplaceStringId,
  };
}
