/** Cost of one campaign in the period of an invoice. */
export interface InvoiceLine {
  readonly campaignId: string;
  readonly campaignName: string;
  /** SPONSORED PRODUCT or SPONSORED BRANDS. */
  readonly programName: string;
  /** The portfolio the campaign lies in. */
  readonly portfolioId?: string;
  /** Clicks that were charged. */
  readonly clicks: number;
  /** Their cost without tax. */
  readonly cost: number;
}

/** The advertising of one month, in the profile's currency. */
export interface Invoice {
  /** Id; absent while the month is still open. */
  readonly id?: string;
  readonly status: "ACCUMULATING" | "ISSUED" | "PAID_IN_PART" | "PAID_IN_FULL";
  readonly fromDate: string;
  readonly toDate: string;
  /** The day it was written. */
  readonly invoiceDate: string;
  /** The day it must be paid by. */
  readonly dueDate: string;
  /** Cost of each campaign. */
  readonly lines: readonly InvoiceLine[];
  /** All lines. */
  readonly cost: number;
  /** Fee of an authority on advertising, where there is one. */
  readonly fee: number;
  /** Rate of the tax, 0.2 for 20 percent. */
  readonly taxRate: number;
  /** Tax on cost and fee. */
  readonly tax: number;
  /** Cost, fee and tax. */
  readonly total: number;
  /** Open amount. */
  readonly remaining: number;
}
