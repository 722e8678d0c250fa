import type { Column, Columns } from "./column.ts";
import { generalColumn } from "./general_column.ts";
import { SALES_COLUMNS } from "./sales_columns.ts";
import { SUBJECT_COLUMNS } from "./subject_columns.ts";
import { TRAFFIC_COLUMNS } from "./traffic_columns.ts";

/** How the values of a column are made; those without rules of their own are derived from its name. */
export function columnNamed(name: string): Column {
  return COLUMNS[name] ?? generalColumn(name);
}

/** The columns of Products, Brands and Display. */
export const COLUMNS: Columns = { ...SUBJECT_COLUMNS, ...TRAFFIC_COLUMNS, ...SALES_COLUMNS };
