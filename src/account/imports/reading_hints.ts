import type { DayOrder, DecimalMark } from "../tables/cell_formats.ts";

/** Hints for ambiguous numbers and dates. */
export interface ReadingHints {
  /** Decimal separator. @default detected from the numbers */
  readonly decimal?: DecimalMark | undefined;
  /** Order of day and month in dates such as 12/07/2019. @default detected from the dates */
  readonly dayOrder?: DayOrder | undefined;
  /** Period of each row if all dates are the first of a month. @default such files are refused */
  readonly rowsOf?: "day" | "month" | undefined;
  /** Only rows of this country, spelled as in the file. @default a file with several countries is refused */
  readonly country?: string | undefined;
}
