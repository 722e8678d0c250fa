import type { CellNote } from "../../base/spreadsheet/row_cells.ts";
import { ConfigurationError } from "../../errors.ts";

export interface SheetLine {
  /** Number of the line in its tab, counted from 1. */
  readonly number: number;
  /** Texts of the cells from the first column on; a cell without text is empty. */
  readonly cells: readonly string[];
  /** Facts about cells that are not plain text, by position. */
  readonly notes?: readonly (CellNote | undefined)[];
  /** True for a row that the workbook does not show. */
  readonly isHidden?: boolean;
  /** True for the last line of a CSV file that does not end it. */
  readonly isOpen?: boolean;
}

/** A line with the name of its tab, which is empty for CSV. */
export interface TabLine {
  readonly tab: string;
  readonly line: SheetLine;
}

/** Gets the lines of each tab in order. */
export type LineReader = (tab: string, line: SheetLine) => void;

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
  /** Problem with the file, as the end of a sentence. */
  readonly reason: string;

  /**
   * Says which file cannot be read, and why.
   *
   * @param reason What is wrong with the file, as the end of a sentence.
   */
  constructor(name: string, reason: string, options?: ErrorOptions) {
    super(`Cannot read the sheet ${name}: ${reason}`, options);
    this.reason = reason;
  }
}
