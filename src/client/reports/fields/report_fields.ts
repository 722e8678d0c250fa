import type { CheckFieldsOptions, ReportField, ReportFieldCheck } from "./report_field.ts";

/** Looks up and checks the fields of the new reports. */
export interface ReportFieldCatalog {
  /**
   * Finds fields whose name, in either version, contains all of the given words; closest match first.
   *
   * @param words Parts of names, for example `new to brand sales`; none for all fields.
   */
  search(words: string): Promise<ReportField[]>;
  /**
   * Checks whether fields can be combined, without sending anything.
   *
   * @param fields Names of fields, or of columns of version 3.
   * @throws {RangeError} for days that are not days of the calendar.
   */
  check(fields: readonly string[], options?: CheckFieldsOptions): Promise<ReportFieldCheck>;
}

/**
 * The 817 fields of the new reports, loaded on first use.
 *
 * @example
 * ```ts
 * import { reportFields } from "@platform/ads";
 *
 * const [first] = await reportFields.search("cost per click");
 * const { fields, findings } = await reportFields.check(["date.value", "campaign.id", "costPerClick"]);
 * console.log(first?.field, fields.length, findings.length); // metric.cpc 4 0
 * ```
 */
export const reportFields: ReportFieldCatalog = {
  search: async (words) => (await import("./check_fields.ts")).searchFields(words),
  check: async (fields, options) => (await import("./check_fields.ts")).checkFields(fields, options),
};
