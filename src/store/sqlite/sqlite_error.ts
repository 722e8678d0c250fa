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

/** What SQLite says, in the store's own words; any other error is returned as it is. */
export function storeError(error: unknown, location: string): unknown {
  const { code, errcode, message } = error as { code?: unknown; errcode?: number; message?: string };
  if (code !== "ERR_SQLITE_ERROR") return error;
  const why = errcode === undefined ? message : REASONS[errcode % 256] ?? message;
  return new StoreError(`Cannot use store "${location}": ${why}`, { cause: error });
}
