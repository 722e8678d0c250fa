import { type ColumnType, columnType } from "../reports/column_type.ts";
import { REPORT_PRESETS, type ReportPresetName } from "../reports/presets.ts";

/** A column of a stored report. */
export interface StoredColumn {
  /** Name, as the platform writes it. */
  readonly name: string;
  /** What it holds. */
  readonly type: ColumnType;
  /** True when it is part of what tells one row from another, and so never empty. */
  readonly key: boolean;
}

/** How the rows of a report are laid out in the store. */
export interface ReportLayout {
  /** Preset. */
  readonly report: ReportPresetName;
  /** Name of the table. */
  readonly table: string;
  /** Name of the view that people query; the preset's. */
  readonly view: string;
  /** Columns in the order of a row's cells: `date` first, then the key, then the others. `extra` follows them. */
  readonly columns: readonly StoredColumn[];
}

/**
 * How a report is laid out in the store.
 *
 * @example
 * ```ts
 * import { reportLayout } from "@platform/ads/store";
 *
 * const { view, columns } = reportLayout("sp_placement");
 * console.log(view, columns.map(({ name }) => name).join(", "));
 * ```
 */
export function reportLayout(report: ReportPresetName): ReportLayout {
  const { columns, key } = REPORT_PRESETS[report];
  const others = columns.filter((name) => !key.includes(name));
  return {
    report,
    table: `report_${report}`,
    view: report,
    columns: [
      ...["date", ...key].map((name) => ({ name, type: publishedType(name), key: true })),
      ...others.map((name) => ({ name, type: publishedType(name), key: false })),
    ],
  };
}

function publishedType(name: string): ColumnType {
  const type = columnType(name);
  if (type === undefined) throw new TypeError(`Cannot lay out the column "${name}": it is not published`);
  return type;
}
