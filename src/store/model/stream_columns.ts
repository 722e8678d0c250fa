import type { ColumnType } from "../../client/reports/file/report_row.ts";
import type { DatasetLayout } from "./dataset_layout.ts";

export const COMMON_COLUMNS: readonly (readonly [name: string, type: ColumnType, required: boolean])[] = [
  ["id", "text", true],
  ["advertiser_id", "text", true],
  ["marketplace_id", "text", true],
  ["profile_id", "text", true],
  ["date", "date", false],
  ["hour", "integer", false],
  ["starts_at", "integer", false],
  ["message_id", "text", true],
  ["received_at", "integer", true],
];

export function streamColumns({ columns }: DatasetLayout): string[] {
  return [...COMMON_COLUMNS.map(([name]) => name), ...columns.map(({ name }) => name), "extra"];
}
