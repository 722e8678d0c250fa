/** The fields of the new reports as `catalog/report_fields.json` holds them. */
export interface ReportFieldsData {
  /** Sets of dimensions, each parted by spaces and named by the first part of their fields' names. */
  readonly exclusions: readonly string[];
  /**
   * By name, parted by `|`: type, columns of version 3 for sponsored ads, those for DSP, required fields, converted twin,
   * and the place of the dimensions that it does not go with among `exclusions`.
   */
  readonly fields: Readonly<Record<string, string>>;
}

declare const data: ReportFieldsData;
export default data;
