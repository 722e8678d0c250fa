import { kindOf } from "../../platform/catalog/kind_names.ts";
import { type ColumnType, columnType } from "../../client/reports/file/report_row.ts";
import { type NamedReport, namedReport, presetReport } from "../../client/reports/requests/named_report.ts";
import {
  REPORT_PRESET_NAMES,
  type ReportPresetName,
  spellReport,
} from "../../client/reports/requests/presets.ts";
import { ConfigurationError } from "../../errors.ts";
import { nearest } from "../../base/text/nearest.ts";

/** A column of a stored report. */
export interface StoredColumn {
  /** Name, as the platform writes it. */
  readonly name: string;
  /** Type of the column. */
  readonly type: ColumnType;
  /** True for a key column, which is never empty. */
  readonly key: boolean;
}

/** Store layout of a report's rows. */
export interface ReportLayout {
  /** Name of the report, which is also the name of its view. */
  readonly report: string;
  /** Name of the table. */
  readonly table: string;
  /** Name of the view that people query. */
  readonly view: string;
  /** Columns in the order of a row's cells: `date` first, then the key, then the others. `extra` follows them. */
  readonly columns: readonly StoredColumn[];
  /** Request of the report. */
  readonly source: NamedReport;
}

/**
 * Layout of a preset report in the store.
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
  const layout = presetLayouts.get(report) ?? layoutOf(presetReport(report));
  presetLayouts.set(report, layout);
  return layout;
}

const presetLayouts = new Map<ReportPresetName, ReportLayout>();

export function layoutOf(source: NamedReport): ReportLayout {
  const { report, columns, key } = source;
  const others = columns.filter((name) => !key.includes(name));
  return {
    report,
    table: REPORT_PRESET_NAMES.some((preset) => preset === report) ? `report_${report}` : `rows_${report}`,
    view: report,
    columns: [
      ...["date", ...key].map((name) => ({ name, type: typeOf(name), key: true })),
      ...others.map((name) => ({ name, type: typeOf(name), key: false })),
    ],
    source,
  };
}

function typeOf(name: string): ColumnType {
  return columnType(name) ?? "text";
}

/** A published type that no longer exists remains a table without a view. */
export async function storedLayouts(typed: readonly string[]): Promise<ReportLayout[]> {
  const found = await Promise.all(typed.map((name) => namedReport(name).then(layoutOf, () => undefined)));
  return [...REPORT_PRESET_NAMES.map(reportLayout), ...found.filter((layout) => layout !== undefined)];
}

export function layoutNamed(word: string, layouts: readonly ReportLayout[]): ReportLayout {
  const names = layouts.map(({ report }) => report);
  const named = kindOf(word, names);
  const found = layouts.find(({ report }) => report === named);
  if (found !== undefined) return found;
  const near = nearest(word, [...names, ...names.map(spellReport)]);
  const advice = near === undefined
    ? `Expected one of ${names.map(spellReport).join(", ")}`
    : `Did you mean "${spellReport(near)}"?`;
  throw new ConfigurationError(`Cannot find a report "${word}". ${advice}`);
}
