import type { ServedAd, ServedAdGroup, ServedCampaign, ServedClause } from "../../traffic/served_campaign.ts";
import type { Tally } from "./tally.ts";

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
