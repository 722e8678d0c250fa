import type { ProfileState } from "../../state/profile_state.ts";
import type { Family } from "../../traffic/read_campaigns.ts";
import type { ReportFacts, RowSubject } from "../reports/column.ts";
import { columnNamed, COLUMNS } from "../reports/columns.ts";
import { Tally } from "../reports/tally.ts";
import { accountIdOf, countryWord } from "./advertiser_accounts.ts";
import { RATES } from "./currency_rates.ts";
import { FIELD_RULES, type FieldRule } from "./field_rules.ts";

export interface RowPlace {
  readonly profile: ProfileState;
  readonly facts: ReportFacts;
  readonly family: Family;
  readonly subject: RowSubject;
  readonly day: string;
  /** 0 to 23; -1 without hours. */
  readonly hour: number;
  readonly currencyOfView: string | undefined;
}

export type FreeValue = string | number | null;

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

/** Empty if the emulator's traffic is not split by this dimension. */
export function dimensionValue(name: string, place: RowPlace): FreeValue {
  const own = OWN[name];
  if (own !== undefined) return own(place);
  const column = FIELD_RULES.get(name)?.columns.find((one) => Object.hasOwn(COLUMNS, one));
  if (column === undefined) return null;
  const value = COLUMNS[column]!({ ...place.subject, day: place.day, tally: NO_SUMS }, place.facts);
  return typeof value === "bigint" ? String(value) : value;
}

/** Sums are kept per ad product, because attribution windows are 7 or 14 days depending on the product. */
type Sums = ReadonlyMap<Family, Tally>;

/** Sums the equivalent version 3 columns of all ad products; ratios and means are weighted by their divisor. */
export function metricValue(name: string, sums: Sums, place: RowPlace): FreeValue {
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

const WINDOWED: readonly (readonly [RegExp, string])[] = [
  [/^salesSameSku/, "attributedSalesSameSku"],
  [/^unitsSold(?=\d)/, "unitsSoldClicks"],
  [/^roas(?=\d)/, "roasClicks"],
];

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
