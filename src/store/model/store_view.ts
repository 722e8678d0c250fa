/** A view, and the statement that it shows. */
export interface StoreView {
  /** As it is written in SQL. */
  readonly name: string;
  /** The statement. */
  readonly sql: string;
}

/** Views of one session instead of the present ones. */
export interface SessionViews {
  /** Moment of knowledge, epoch milliseconds. */
  readonly asOf?: number | undefined;
  /** Conversion of amounts. */
  readonly conversion?: Conversion | undefined;
}

/** How amounts are converted. */
export interface Conversion {
  /** ISO 4217 code of the currency that amounts are converted to. */
  readonly currency: string;
  /** Values of one unit of each other currency in it. */
  readonly rates: readonly CurrencyRate[];
}

/** Value of one unit of a currency in another. */
export interface CurrencyRate {
  /** ISO 4217 code of the currency that is converted. */
  readonly currency: string;
  /** Its worth. */
  readonly rate: number;
  /** First day that it holds for, `YYYY-MM-DD`; until the next one of the currency. @default every day */
  readonly from?: string | undefined;
}
