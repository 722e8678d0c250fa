import type { Columns } from "./column.ts";
import { SALES_COLUMNS } from "./sales_columns.ts";
import { SUBJECT_COLUMNS } from "./subject_columns.ts";
import { TRAFFIC_COLUMNS } from "./traffic_columns.ts";

/** Every column that some report has, by its name. */
export const COLUMNS: Columns = { ...SUBJECT_COLUMNS, ...TRAFFIC_COLUMNS, ...SALES_COLUMNS };
