import { ConfigurationError } from "../errors.ts";
import { nearest } from "../internal/nearest.ts";
import { namedReport } from "../reports/named_report.ts";
import { REPORT_PRESET_NAMES } from "../reports/presets.ts";
import { layoutOf, type ReportLayout, reportLayout } from "./report_layout.ts";

/**
 * The layouts of a store: those of all presets, and of the published types that it holds.
 *
 * @param typed Names of reports of published types. One that is not published any more stays a table without a view.
 */
export async function storedLayouts(typed: readonly string[]): Promise<ReportLayout[]> {
  const found = await Promise.all(typed.map((name) => namedReport(name).then(layoutOf, () => undefined)));
  return [...REPORT_PRESET_NAMES.map(reportLayout), ...found.filter((layout) => layout !== undefined)];
}

/**
 * The layout of a stored report by its name; hyphens are taken for underscores.
 *
 * @throws {ConfigurationError} with the nearest name when the store does not hold it.
 */
export function layoutNamed(word: string, layouts: readonly ReportLayout[]): ReportLayout {
  const wanted = word.trim().toLowerCase().replaceAll("-", "_");
  const found = layouts.find(({ report }) => report === wanted);
  if (found !== undefined) return found;
  const near = nearest(word, layouts.map(({ report }) => report));
  const advice = near === undefined
    ? `Expected one of ${layouts.map(({ report }) => report).join(", ")}`
    : `Did you mean "${near}"?`;
  throw new ConfigurationError(`Cannot find a report "${word}". ${advice}`);
}
