export interface InvoiceLine {
  readonly campaignId: string;
  readonly campaignName: string;
  readonly programName: string;
  readonly portfolioId?: string;
  readonly clicks: number;
  readonly cost: number;
}

export interface Invoice {
  /** Id; absent for the open month. */
  readonly id?: string;
  readonly status: "ACCUMULATING" | "ISSUED" | "PAID_IN_PART" | "PAID_IN_FULL";
  readonly fromDate: string;
  readonly toDate: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly lines: readonly InvoiceLine[];
  readonly cost: number;
  readonly fee: number;
  /** 0.2 is 20 percent. */
  readonly taxRate: number;
  readonly tax: number;
  readonly total: number;
  readonly remaining: number;
}
