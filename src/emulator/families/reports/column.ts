import type { ReportRow } from "./report_row.ts";

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
  /** The marketplace's own id. */
  readonly marketplaceId: string;
}

/** Gives a row's value of one column: text, a number, an id as `bigint` (a bare number in the file), or nothing. */
export type Column = (row: ReportRow, report: ReportFacts) => string | number | bigint | null;

/** Columns by their names. */
export type Columns = Readonly<Record<string, Column>>;

/** A part of a whole with four decimals; nothing when the whole is 0. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(4));
}
