/** Gives the rows of a file, each as the JSON of an object. */
export type FileRows = () => Iterable<string>;

/** Form of a file: JSON, packed or not as the quirks want it, a table with commas, or a workbook. */
export type FileFormat = "GZIP_JSON" | "CSV" | "XLSX";

/** A file before it is written. */
export interface FileSource {
  /** Each as the JSON of an object. */
  readonly rows: FileRows;
  /** JSON, a table with commas, or a workbook. */
  readonly format: FileFormat;
}

/** A file that can be fetched. */
export interface StoredFile {
  /** Its bytes, packed or not as the quirks want it. */
  readonly bytes: Uint8Array;
  /** Rows in it; a report without rows has no file to fetch. */
  readonly rows: number;
}
