import type { JsonObject } from "../../core/json.ts";

/** An export as it is remembered; its rows are made when they are read. Moments are milliseconds since the epoch. */
export interface ExportRecord {
  /** Id; it tells what kind of entities are in it. */
  readonly exportId: string;
  /** campaigns, adGroups, ads or targets. */
  readonly entity: string;
  /** Values that a field of its rows must have, by the field; none: any. */
  readonly filters: Readonly<Record<string, readonly (string | boolean)[]>>;
  /** When it was requested. */
  readonly createdAt: number;
  /** When it is done. */
  readonly endsAt: number;
  /** How it ends: COMPLETED, or FAILED where a fault has chosen that. */
  readonly outcome: string;
}

/** State of an export at a moment. */
export function exportStatus(record: ExportRecord, now: number): string {
  return now >= record.endsAt ? record.outcome : "PROCESSING";
}

/** An export out of the profile's collection. */
export function asExport(entity: JsonObject): ExportRecord {
  return entity as unknown as ExportRecord;
}
