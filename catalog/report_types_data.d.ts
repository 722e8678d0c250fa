/** A type of report as `catalog/report_types.json` holds it; names of columns are parted by spaces. */
export interface ReportTypeData {
  readonly adProduct: string;
  readonly maxDays: number;
  readonly retentionDays: number;
  readonly timeUnits: readonly string[];
  readonly formats: readonly string[];
  readonly base: string;
  readonly groups: Readonly<
    Record<
      string,
      { readonly columns: string; readonly filters?: Readonly<Record<string, readonly string[]>> }
    >
  >;
}

declare const data: Readonly<Record<string, ReportTypeData>>;
export default data;
