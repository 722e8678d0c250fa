import { type DaySpan, daySpans, eachDay, offsetsOf } from "../../core/day_span.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { campaignDay } from "../../traffic/campaign_day.ts";
import type { Click, Order } from "../../traffic/clause_day.ts";
import { Market } from "../../traffic/market.ts";
import { type Family, readCampaigns } from "../../traffic/read_campaigns.ts";
import { advertisedProducts } from "../../traffic/vocabulary.ts";
import type { ReportFacts, RowSubject } from "../reports/column.ts";
import { columnNamed, COLUMNS } from "../reports/columns.ts";
import {
  allocate,
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
import { accountIdOf, countryWord } from "./advertiser_accounts.ts";
import { RATES } from "./currency_rates.ts";
import { FIELD_RULES, type FieldRule, isMetric } from "./field_rules.ts";
import type { FreeReport, RowFilter } from "./free_report.ts";

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

interface RowPlace {
  readonly profile: ProfileState;
  readonly facts: ReportFacts;
  readonly family: Family;
  readonly subject: RowSubject;
  readonly day: string;
  /** 0 to 23; -1 without hours. */
  readonly hour: number;
  readonly currencyOfView: string | undefined;
}

type FreeValue = string | number | null;

const PRODUCTS: Readonly<Record<Family, string>> = {
  sp: "SPONSORED_PRODUCTS",
  sb: "SPONSORED_BRANDS",
  sd: "SPONSORED_DISPLAY",
};

const OWN: Readonly<Record<string, (place: RowPlace) => FreeValue>> = {
  "hour.value": ({ hour }) => hour,
  "date.value": ({ day }) => day,
  "day.value": ({ day }) => Number(day.slice(8)),
  "week.value": ({ day }) => weekOf(day),
  "month.value": ({ day }) => Number(day.slice(5, 7)),
  "year.value": ({ day }) => Number(day.slice(0, 4)),
  "dateRange.value": ({ facts }) => `${facts.startDate}/${facts.endDate}`,
  "timeZone.value": ({ facts }) => facts.account.timezone,
  "adProduct.value": ({ family }) => PRODUCTS[family],
  "advertiserAccount.id": ({ profile }) => accountIdOf(profile),
  "advertiserAccount.entityId": ({ facts }) => facts.account.id,
  "advertiserAccount.name": ({ facts }) => facts.account.name,
  "advertiserAccount.timeZone": ({ facts }) => facts.account.timezone,
  "budgetCurrency.value": ({ facts }) => facts.currencyCode,
  "convertedCurrency.value": ({ currencyOfView }) => currencyOfView ?? null,
  "campaign.country": ({ facts }) => countryWord(facts.account.countryCode),
  "convertedProductMarketplace.value": ({ facts, subject }) =>
    subject.asin === undefined ? null : facts.marketplaceId,
  "advertisedProduct.marketplace": ({ facts, subject }) =>
    subject.ad === undefined ? null : facts.marketplaceId,
  "portfolio.name": ({ profile, subject }) => {
    const id = subject.campaign.entity.portfolioId;
    const name = id === undefined ? undefined : profile.collection("portfolios").get(String(id))?.name;
    return name === undefined ? null : String(name);
  },
};

const NO_SUMS = new Tally();

/** Sums are kept per ad product, because attribution windows are 7 or 14 days depending on the product. */
type Sums = ReadonlyMap<Family, Tally>;

const WINDOWED: readonly (readonly [RegExp, string])[] = [
  [/^salesSameSku/, "attributedSalesSameSku"],
  [/^unitsSold(?=\d)/, "unitsSoldClicks"],
  [/^roas(?=\d)/, "roasClicks"],
];

/** Empty if the emulator's traffic is not split by this dimension. */
function dimensionValue(name: string, place: RowPlace): FreeValue {
  const own = OWN[name];
  if (own !== undefined) return own(place);
  const column = FIELD_RULES.get(name)?.columns.find((one) => Object.hasOwn(COLUMNS, one));
  if (column === undefined) return null;
  const value = COLUMNS[column]!({ ...place.subject, day: place.day, tally: NO_SUMS }, place.facts);
  return typeof value === "bigint" ? String(value) : value;
}

/** Sums the equivalent version 3 columns of all ad products; ratios and means are weighted by their divisor. */
function metricValue(name: string, sums: Sums, place: RowPlace): FreeValue {
  const rule = FIELD_RULES.get(name)!;
  if (rule.convertedFrom !== undefined) {
    const amount = metricValue(rule.convertedFrom, sums, place);
    return typeof amount === "number" ? converted(amount, place) : amount;
  }
  const { profile, subject, day, facts } = place;
  const isVendor = profile.record.accountInfo.type === "vendor";
  const parts = [...sums].map(([family, tally]) => {
    const value = columnNamed(columnOf(rule, family, isVendor))({ ...subject, day, tally }, facts);
    return { value: typeof value === "number" ? value : 0, isNull: value === null, tally };
  }).filter(({ isNull }) => !isNull);
  if (parts.length === 0) return null;
  if (parts.length === 1) return parts[0]!.value;
  if (rule.type === "LONG" || rule.type === "CURRENCY") {
    return Number(parts.reduce((sum, { value }) => sum + value, 0).toFixed(2));
  }
  const weights = parts.map(({ tally }) => weightOf(name, tally));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return null;
  return Number(parts.reduce((sum, { value }, at) => sum + value * weights[at]! / all, 0).toFixed(4));
}

function weightOf(name: string, { clicks, cost, impressions }: Tally): number {
  return name === "metric.cpc" ? clicks : name.startsWith("metric.roas") ? cost : impressions;
}

function columnOf({ name, columns }: FieldRule, family: Family, isVendor: boolean): string {
  const known = columns.map((one) => WINDOWED.reduce((text, [from, to]) => text.replace(from, to), one))
    .filter((one) => Object.hasOwn(COLUMNS, one));
  const windowed = known.find((one) => one.endsWith(isVendor ? "14d" : "7d"));
  const whole = known.find((one) => !/\d+d$/.test(one)) ?? known.find((one) => one.endsWith("14d"));
  return (family === "sp" ? windowed ?? whole : whole ?? windowed) ?? columns[0] ??
    name.replace("metric.", "");
}

function converted(amount: number, { facts, currencyOfView = "USD" }: RowPlace): number {
  const rate = (RATES.get(facts.currencyCode) ?? 1) / (RATES.get(currencyOfView) ?? 1);
  return Number((amount * rate).toFixed(2));
}

function weekOf(day: string): number {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  return Math.ceil(((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
}

const HOUR = 3_600_000;

/** On days when clocks change, an hour is missing or repeated. */
class WallClock {
  readonly weights: readonly number[];
  readonly #span: DaySpan;
  readonly #offsetAt: ((moment: number) => number) | undefined;

  constructor(span: DaySpan, offsetAt: (moment: number) => number) {
    this.#span = span;
    const length = span.end - span.start;
    this.#offsetAt = length === WEIGHTS.length * HOUR ? undefined : offsetAt;
    const shown = new Set<number>();
    for (let at = span.start; at < span.end; at += HOUR / 2) shown.add(this.hourOf(at));
    this.weights = WEIGHTS.map((weight, hour) => shown.has(hour) ? weight : 0);
  }

  hourOf(moment: number): number {
    if (this.#offsetAt !== undefined) return new Date(moment + this.#offsetAt(moment)).getUTCHours();
    const hour = Math.floor((moment - this.#span.start) / HOUR) % WEIGHTS.length;
    return hour < 0 ? hour + WEIGHTS.length : hour;
  }
}

/** Distribution of impressions without a click over the hours of a day. */
const WEIGHTS = [3, 2, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4];

/** Distributes a daily row over hours without rounding losses. */
class HoursOfDay extends Tally {
  readonly #clicks: Click[] = [];
  readonly #orders: Order[] = [];
  readonly #read: Click[] = [];
  readonly #clock: WallClock;
  readonly #asOf: number;

  constructor(clock: WallClock, asOf: number) {
    super();
    this.#clock = clock;
    this.#asOf = asOf;
  }

  override addClick(click: Click): void {
    this.#clicks.push(click);
  }

  override addOrder(order: Order): void {
    this.#orders.push(order);
  }

  override addPages(click: Click): void {
    this.#read.push(click);
  }

  divide(sumsOf: (hour: number) => Tally): void {
    const shown = allocate(Math.max(0, this.impressions - this.#clicks.length), this.#clock.weights);
    for (const [hour, count] of shown.entries()) if (count > 0) sumsOf(hour).addImpressions(count);
    for (const click of this.#clicks) {
      const tally = sumsOf(this.#clock.hourOf(click.moment));
      tally.addImpressions(1);
      tally.addClick(click, this.#asOf);
    }
    // Rows of purchases do not know the click; they count in the hour at which reports began to.
    for (const order of this.#orders) sumsOf(this.#clock.hourOf(order.knownAt)).addOrder(order);
    for (const click of this.#read) sumsOf(this.#clock.hourOf(click.moment)).addPages(click, this.#asOf);
  }
}
