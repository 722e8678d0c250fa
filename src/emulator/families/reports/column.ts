import type { ServedAd, ServedAdGroup, ServedCampaign, ServedClause } from "../../traffic/served_campaign.ts";
import type { Tally } from "./tally.ts";

/** Facts of a report for the values of its rows. */
export interface ReportFacts {
  /** The moment whose knowledge the report has, milliseconds since the epoch. */
  readonly asOf: number;
  readonly startDate: string;
  readonly endDate: string;
  /** Currency of every amount. */
  readonly currencyCode: string;
  /** Smallest units in one of the currency. */
  readonly unit: number;
  /** Advertiser account. */
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly countryCode: string;
    readonly timezone: string;
  };
  readonly marketplaceId: string;
}

/** Gives a row's value of one column: text, a number, an id as `bigint` (a bare number in the file), or nothing. */
export type Column = (row: ReportRow, report: ReportFacts) => string | number | bigint | null;

export type Columns = Readonly<Record<string, Column>>;

/** A part of a whole with four decimals; nothing when the whole is 0. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(4));
}

/** Subject of a row; its parts depend on the kind of report. */
export interface RowSubject {
  readonly campaign: ServedCampaign;
  readonly adGroup?: ServedAdGroup;
  /** Keyword or target. */
  readonly clause?: ServedClause;
  readonly ad?: ServedAd;
  /** Name of the place where the ad was shown. */
  readonly placement?: string;
  /** Name of the audience. */
  readonly segment?: string;
  /** Which of three values it has of what rows are divided by: device, country ... */
  readonly part?: number;
  /** Search term of the shopper. */
  readonly term?: string;
  /** The product that was bought. */
  readonly asin?: string;
  /** True if it is the product in the ad. */
  readonly promoted?: boolean;
}

/** One row of a report before it is written. */
export interface ReportRow extends RowSubject {
  /** The day; empty in a summary. */
  readonly day: string;
  /** Its sums. */
  readonly tally: Tally;
}

/** The row that a part of the traffic belongs to, made at first use. */
export type RowFinder = (key: string, subject: Omit<RowSubject, "campaign">) => Tally;
