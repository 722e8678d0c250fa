import data from "../../../../catalog/report_fields_data.js";

/** A published field of the new reports. */
export interface FieldRule {
  readonly name: string;
  /** LONG, CURRENCY, STRING ... */
  readonly type: string;
  /** Equivalent columns of version 3, those of sponsored ads first. */
  readonly columns: readonly string[];
  /** Required other fields. */
  readonly required: readonly string[];
  /** Field that this one converts to another currency. */
  readonly convertedFrom?: string;
  /** Prefixes of fields that cannot be combined with it. */
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

/** True for metrics, which are not grouped by. */
export function isMetric(name: string): boolean {
  return name.startsWith("metric.");
}
