import type { CellNote } from "../../base/text/row_cells.ts";
import { ConfigurationError } from "../../errors.ts";

export interface SheetLine {
  /** Counted from 1. */
  readonly number: number;
  readonly cells: readonly string[];
  readonly notes?: readonly (CellNote | undefined)[];
  readonly isHidden?: boolean;
  /** True for the last line of a CSV file without a line ending. */
  readonly isOpen?: boolean;
}

/** True if no cell of the line has text. */
export function isBlank({ cells }: Pick<SheetLine, "cells">): boolean {
  return cells.every((cell) => cell.trim() === "");
}

export interface TabLine {
  readonly tab: string;
  readonly line: SheetLine;
}

/**
 * A file that is not a sheet, or one that must not be opened.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { planSheet, SheetFileError } from "@platform/ads/account";
 *
 * async function planned(ca: ProfileClient, bytes: Uint8Array): Promise<void> {
 *   try {
 *     await planSheet(ca, { bytes, name: "bulk.xlsx" });
 *   } catch (error) {
 *     if (error instanceof SheetFileError) console.log("not a sheet:", error.message);
 *     else throw error;
 *   }
 * }
 * ```
 */
export class SheetFileError extends ConfigurationError {
  /** Problem with the file, worded as the end of a sentence. */
  readonly reason: string;

  /**
   * Creates a message that names the unreadable file and the reason.
   *
   * @param reason What is wrong with the file, as the end of a sentence.
   */
  constructor(name: string, reason: string, options?: ErrorOptions) {
    super(`Cannot read the sheet ${name}: ${reason}`, options);
    this.reason = reason;
  }
}
