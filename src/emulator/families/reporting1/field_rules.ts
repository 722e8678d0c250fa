import data from "../../../../catalog/report_fields_data.js";

export interface FieldRule {
  readonly name: string;
  readonly type: string;
  /** Columns of sponsored ads come first. */
  readonly columns: readonly string[];
  readonly required: readonly string[];
  readonly convertedFrom?: string;
  readonly barred: readonly string[];
}

const WORDS = (text = ""): string[] => text.split(" ").filter((word) => word !== "");
const ORIGINALS: ReadonlyMap<string, string> = new Map(
  Object.entries(data.fields).flatMap(([name, line]) => {
    const converted = line.split("|")[4];
    return converted ? [[converted, name] as const] : [];
  }),
);

export const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map(
  Object.entries(data.fields).map(([name, line]) => {
    const [type = "", sponsored, dsp, required, _converted, barred] = line.split("|");
    const convertedFrom = ORIGINALS.get(name);
    return [name, {
      name,
      type,
      columns: [...WORDS(sponsored), ...WORDS(dsp)],
      required: WORDS(required),
      ...(convertedFrom === undefined ? {} : { convertedFrom }),
      barred: WORDS(data.exclusions[Number(barred)]),
    }];
  }),
);

export function isMetric(name: string): boolean {
  return name.startsWith("metric.");
}
