import { loadedOnce } from "../../base/json/kept_or.ts";
import type { ColumnType } from "./file/report_row.ts";
import type { ReportField } from "./report_field.ts";

export interface FieldTable {
  readonly fields: ReadonlyMap<string, ReportField>;
  /** Fields by version 3 column; fields of sponsored ads come before those of DSP. */
  readonly byColumn: ReadonlyMap<string, readonly string[]>;
}

export const fieldTable: () => Promise<FieldTable> = loadedOnce(load);

export async function fieldTypes(names: readonly string[]): Promise<Map<string, ColumnType>> {
  const { fields } = await fieldTable();
  return new Map(names.map((name) => [name, columnTypeOf(fields.get(name)?.type)]));
}

function columnTypeOf(type: string | undefined): ColumnType {
  if (type === "LONG") return "integer";
  if (type === "DATE") return "date";
  return type === "DECIMAL" || type === "CURRENCY" || type === "PERCENTAGE" ? "real" : "text";
}

async function load(): Promise<FieldTable> {
  const { default: data } = await import("../../../catalog/report_fields_data.js");
  const words = (text = ""): string[] => text === "" ? [] : text.split(" ");
  const fields = new Map<string, ReportField>();
  for (const [field, line] of Object.entries(data.fields)) {
    const [type = "", columns, dspColumns, requires, converted = "", set] = line.split("|");
    fields.set(field, {
      field,
      kind: field.startsWith("metric.") ? "metric" : "dimension",
      type,
      columns: words(columns),
      dspColumns: words(dspColumns),
      requires: words(requires),
      converted: converted === "" ? undefined : converted,
      excludes: words(data.exclusions[Number(set)]),
    });
  }
  const byColumn = new Map<string, string[]>();
  const isConverted = new Set([...fields.values()].map(({ converted }) => converted));
  const add = (column: string, field: string): void => {
    if (!isConverted.has(field)) byColumn.set(column, [...byColumn.get(column) ?? [], field]);
  };
  for (const { field, columns } of fields.values()) for (const column of columns) add(column, field);
  const sponsored = new Set(byColumn.keys());
  for (const { field, dspColumns } of fields.values()) {
    for (const column of dspColumns) if (!sponsored.has(column)) add(column, field);
  }
  return { fields, byColumn };
}
