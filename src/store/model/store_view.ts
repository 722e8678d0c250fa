/** A view, and the statement behind it. */
export interface StoreView {
  /** Name, as written in SQL. */
  readonly name: string;
  /** The statement. */
  readonly sql: string;
}

export interface SessionViews {
  readonly asOf?: number | undefined;
  readonly conversion?: Conversion | undefined;
}

/** Currency conversion of a query. */
export interface Conversion {
  /** ISO 4217 code of the currency that amounts are converted to. */
  readonly currency: string;
  /** Rates of the other currencies: value of one unit in this currency. */
  readonly rates: readonly CurrencyRate[];
}

/** Value of one unit of a currency in another. */
export interface CurrencyRate {
  /** ISO 4217 code of the currency that is converted. */
  readonly currency: string;
  /** Value of one unit in the target currency. */
  readonly rate: number;
  /** First day of the rate, `YYYY-MM-DD`; valid until the currency's next rate. @default every day */
  readonly from?: string | undefined;
}
