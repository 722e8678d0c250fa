import type { ScheduleFile } from "../../automation/schedules/load_schedules.ts";
import { schedules } from "../../automation/service/units/schedules.ts";
import type { DocumentText, Fields } from "../model/field.ts";

const { name, what } = schedules.file;

export const SCHEDULES_FIELD = {
  type: "document",
  required: true,
  value: "file",
  file: name,
  maxLength: 20_000,
  help: what,
  brief: `YAML of ${name}`,
} as const satisfies Fields[string];

/** @throws {ConfigurationError} listing every mistake by line. */
export async function schedulesOf(document: DocumentText): Promise<ScheduleFile> {
  const { parseSchedules } = await import("../../automation/schedules/load_schedules.ts");
  return typeof document === "string"
    ? parseSchedules(document, name)
    : parseSchedules(document.text, document.source);
}
