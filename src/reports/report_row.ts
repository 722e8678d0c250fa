/** A value in a report. Ids are text always; other integers past 2^53 - 1 are text too. */
export type ReportValue = string | number | boolean | null;

/** One row of a report: a value a column, named as the platform names it. */
export type ReportRow = Record<string, ReportValue>;
