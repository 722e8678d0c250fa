import { lookUp } from "./check_fields.ts";
import { fieldTable } from "./field_table.ts";
import type { FieldCondition, FieldsReport } from "./fields_report.ts";

const MAX_CONDITIONS = 10;
const MAX_VALUES = 2000;

/**
 * @param wire Maps a field name to the platform's spelling.
 * @throws {TypeError} when a field is unknown, or its values are not texts, too many, or missing.
 */
export async function wireFilter(
  filter: FieldsReport["filter"],
  wire: (field: string) => string,
): Promise<unknown> {
  const table = await fieldTable();
  const conditions = Object.entries(filter ?? {}).map(([name, condition]) => {
    const found = lookUp(name, table);
    if (found.field === undefined) throw new TypeError(`Cannot filter a report: ${found.message}`);
    const { values, not } = valuesOf(condition);
    if (
      values.length === 0 || values.length > MAX_VALUES || values.some((value) => typeof value !== "string")
    ) {
      throw new TypeError(
        `Cannot filter a report by "${name}": it takes 1 to ${MAX_VALUES} values, all of them texts`,
      );
    }
    const comparisonOperator = values.length === 1 ? "EQUALS" : "IN";
    return { on: { field: wire(found.field), comparisonOperator, not, values } };
  });
  if (conditions.length > MAX_CONDITIONS) {
    throw new TypeError(`Cannot filter a report by ${conditions.length} fields: at most ${MAX_CONDITIONS}`);
  }
  return conditions.length > 1 ? { and: { filters: conditions } } : conditions[0];
}

function valuesOf(condition: FieldCondition): { values: readonly string[]; not: boolean } {
  const isNot = typeof condition === "object" && condition !== null && "not" in condition;
  const given = isNot ? condition.not : condition;
  return { values: Array.isArray(given) ? given : [given as string], not: isNot };
}
