import { readCsv } from "./csv_file.ts";
import { readXlsx } from "./read_xlsx.ts";
import type { LineReader } from "./sheet_lines.ts";

/** A sheet as bytes, with its name in messages. */
export interface SheetFile {
  /** The bytes of an .xlsx or .csv file. */
  readonly bytes: Uint8Array;
  /** Name of the file. */
  readonly name: string;
}

/** True for the bytes of an archive, which every .xlsx file is. */
export function isXlsx(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/**
 * Reads the lines of a sheet, whatever its format.
 *
 * @throws {SheetFileError} when it cannot be read.
 */
export function readLines({ bytes, name }: SheetFile, take: LineReader): void {
  if (isXlsx(bytes)) readXlsx(bytes, { name, take });
  else readCsv(bytes, { name, take });
}
