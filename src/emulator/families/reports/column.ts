import type { ServedAd, ServedAdGroup, ServedCampaign, ServedClause } from "../../traffic/served_campaign.ts";
import type { Tally } from "./tally.ts";

export interface ReportFacts {
  /** Epoch milliseconds; later events are not known to the report. */
  readonly asOf: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly currencyCode: string;
  readonly unit: number;
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly countryCode: string;
    readonly timezone: string;
  };
  readonly marketplaceId: string;
}

/** Ids are `bigint`, written as bare numbers in the file. */
export type Column = (row: ReportRow, report: ReportFacts) => string | number | bigint | null;

export type Columns = Readonly<Record<string, Column>>;

/** Ratio with four decimals; `null` if the whole is 0. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(4));
}

export interface RowSubject {
  readonly campaign: ServedCampaign;
  readonly adGroup?: ServedAdGroup;
  readonly clause?: ServedClause;
  readonly ad?: ServedAd;
  readonly placement?: string;
  readonly segment?: string;
  readonly part?: number;
  readonly term?: string;
  readonly asin?: string;
  readonly promoted?: boolean;
}

export interface ReportRow extends RowSubject {
  /** Empty in a summary. */
  readonly day: string;
  readonly tally: Tally;
}

export type RowFinder = (key: string, subject: Omit<RowSubject, "campaign">) => Tally;
