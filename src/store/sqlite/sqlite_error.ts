import { StoreError } from "../store_error.ts";

const REASONS: Readonly<Record<number, string>> = {
  5: "another process holds it",
  8: "it may not be written",
  10: "its disk fails",
  11: "the file is damaged",
  13: "the disk is full. What was stored before is as it was; make room and run it again",
  14: "the file cannot be opened",
  26: "it is not an SQLite file",
};

/** Error of SQLite in the store's own words; any other error is returned unchanged. */
export function storeError(error: unknown, location: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code !== "ERR_SQLITE_ERROR") return error;
  return new StoreError(`Cannot use store "${location}": ${REASONS[codeOf(error)] ?? message}`, {
    cause: error,
  });
}

/** SQLite's code of an error, without what an extended code adds to it; not a number where it has none. */
export function codeOf(error: unknown): number {
  return Number((error as { errcode?: number }).errcode) % 256;
}
