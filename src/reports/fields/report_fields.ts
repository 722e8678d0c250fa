import type { ReportFieldCatalog } from "./report_field.ts";

/**
 * The 817 fields of reporting 1; loaded when they are first asked for.
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
