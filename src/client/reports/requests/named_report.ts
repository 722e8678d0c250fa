import { ConfigurationError } from "../../../errors.ts";
import { nearest } from "../../../base/text/nearest.ts";
import { columnType } from "../file/report_row.ts";
import { wholeGrouping } from "./check_report.ts";
import {
  presetOf,
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  type ReportPresetName,
  spellReport,
} from "./presets.ts";
import { columnsOf, type ReportType, reportTypes } from "./report_types.ts";

/** Name of a stored report: the name of a preset, or a name derived from a published type and its groupings. */
export type ReportName = ReportPresetName | (string & Record<never, never>);

/** A report with the name that is used for it in commands, views and ledgers. */
export interface NamedReport {
  /** Name, for example `sp_placement`, or `sd_campaigns_by_matched_target` for a published type. */
  readonly report: ReportName;
  /** Ad product, for example `SPONSORED_PRODUCTS`. */
  readonly adProduct: string;
  /** The platform's name for the type. */
  readonly reportTypeId: string;
  /** Dimensions of a row. */
  readonly groupBy: readonly string[];
  /** Columns of the report, without `date`. */
  readonly columns: readonly string[];
  /** Columns that, together with the day, identify a row; not always unique. */
  readonly key: readonly string[];
  /** Days of history that the platform retains. */
  readonly retentionDays: number;
  /** False for a type that has only totals for the whole range. */
  readonly isDaily: boolean;
}

const TELLING =
  /(?:Id|Asin|Sku)$|^(?:searchTerm|placementClassification|matchType|attributionType|segmentName|segmentClassCode|keyword(?:Text)?|targeting(?:Text|Expression)?|purchasedAsin|promotedAsin|matchedTargetAsin|country|region|city|dma|postalCode|deviceType|browserType|browserVersion|operatingSystem|environmentType|placementName|placementSize|siteName|supplySourceName)$/;

export function presetReport(report: ReportPresetName): NamedReport {
  return { report, ...REPORT_PRESETS[report], isDaily: true };
}

/**
 * Returns the report for a name: a preset (`placement` or `sp_placement`), a published type with its first grouping
 * (`sdCampaigns`) or with other groupings (`sdCampaigns:matchedTarget`, `spCampaigns:campaign+campaignPlacement`), or
 * the report's own name (`sd_campaigns_by_matched_target`). A report of a type has all columns that are published for
 * its groupings and accepted by the platform.
 *
 * @throws {ConfigurationError} with the nearest name when there is no such report.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { namedReport } from "@platform/ads/store";
 *
 * async function displayTargets(us: ProfileClient): Promise<void> {
 *   const report = await namedReport("sdCampaigns:matchedTarget");
 *   console.log(report.columns.length, await us.reports.run(report, "2026-11-01", "2026-11-07"));
 * }
 * ```
 */
export async function namedReport(word: string): Promise<NamedReport> {
  const wanted = word.trim();
  const preset = presetOf(wanted);
  if (preset !== undefined) return presetReport(preset);
  const types = await reportTypes();
  const [typeText = "", groupText] = wanted.split(/:|_by_/);
  const type = [...types.values()].find(({ reportTypeId }) => isName(reportTypeId, typeText));
  if (type === undefined) throw unknownReport(word, types);
  const groups = groupText === undefined ? [...type.groups.keys()].slice(0, 1) : groupText.split(/\+|_and_/);
  const groupBy = groups.map((text) => {
    const found = [...type.groups.keys()].find((name) => isName(name, text));
    if (found !== undefined) return found;
    throw new ConfigurationError(
      `Cannot find a report "${word}": ${type.reportTypeId} has no grouping "${text}", expected one of ${
        [...type.groups.keys()].join(", ")
      }`,
    );
  });
  return typedReport(type, wholeGrouping(type, groupBy));
}

function typedReport(type: ReportType, groupBy: readonly string[]): NamedReport {
  const { reportTypeId, adProduct, retentionDays, timeUnits } = type;
  const left = ["date", "startDate", "endDate"];
  const columns = columnsOf(type, groupBy).filter((name) => !left.includes(name));
  const key = columns.filter((name) => columnType(name) === "text" && TELLING.test(name));
  return {
    report: `${snake(reportTypeId)}_by_${groupBy.map(snake).join("_and_")}`,
    adProduct,
    reportTypeId,
    groupBy,
    columns,
    key: key.length > 0 ? key : columns.filter((name) => columnType(name) === "text"),
    retentionDays,
    isDaily: timeUnits.includes("DAILY"),
  };
}

function isName(name: string, text: string): boolean {
  return name.toLowerCase() === text.toLowerCase() || snake(name) === text.toLowerCase();
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

function unknownReport(word: string, types: ReadonlyMap<string, ReportType>): ConfigurationError {
  const words = REPORT_PRESET_NAMES.map(spellReport);
  const near = nearest(word, [...words, ...REPORT_PRESET_NAMES, ...types.keys()]);
  const advice = near === undefined
    ? `Expected one of ${words.join(", ")}, or a published type (reportTypes() lists them)`
    : `Did you mean "${spellReport(near)}"?`;
  return new ConfigurationError(`Cannot find a report "${word}". ${advice}`);
}
