/** Cost of one campaign in the period of an invoice. */
export interface InvoiceLine {
  readonly campaignId: string;
  readonly campaignName: string;
  /** SPONSORED PRODUCT or SPONSORED BRANDS. */
  readonly programName: string;
  /** Portfolio of the campaign. */
  readonly portfolioId?: string;
  /** Charged clicks. */
  readonly clicks: number;
  readonly cost: number;
}

/** Advertising costs of one month, in the profile's currency. */
export interface Invoice {
  /** Id; absent for the open month. */
  readonly id?: string;
  readonly status: "ACCUMULATING" | "ISSUED" | "PAID_IN_PART" | "PAID_IN_FULL";
  readonly fromDate: string;
  readonly toDate: string;
  /** Issue date. */
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly lines: readonly InvoiceLine[];
  /** Sum of the lines. */
  readonly cost: number;
  /** Regulatory fee on advertising, if any. */
  readonly fee: number;
  /** Tax rate, 0.2 for 20 percent. */
  readonly taxRate: number;
  /** Tax on cost and fee. */
  readonly tax: number;
  /** Cost, fee and tax. */
  readonly total: number;
  /** Open amount. */
  readonly remaining: number;
}
