import type { ReportLayout } from "../report_layout.ts";
import { rowHash } from "./row_hash.ts";

/** A text that is equal for layouts with the same columns in the same order: hashes of rows can be compared then. */
export function layoutFingerprint({ columns }: ReportLayout): string {
  const words = columns.flatMap(({ name, type, key }) => [name, type, key ? 1 : 0]);
  return rowHash(words, words.length).toString(36);
}
