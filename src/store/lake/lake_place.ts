/** A file that is ready to be put into a lake. */
export interface ReadyFile {
  /** Path on this machine; the file may be moved. */
  readonly path: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** A text file in a lake, and its version. */
export interface LakeText {
  /** Content. */
  readonly text: string;
  /** ETag or hash. */
  readonly version: string;
}

/** Folder or bucket of a lake. Paths are relative to it, with slashes. */
export interface LakePlace {
  /** Address, without secrets. */
  readonly address: string;
  /** A folder of this machine for files that are being written. */
  workFolder(): Promise<string>;
  /** Reads a text; `undefined` if there is none. */
  readText(path: string): Promise<LakeText | undefined>;
  /** Writes a text completely or not at all. */
  writeText(path: string, text: string): Promise<void>;
  /**
   * Replaces a text only if its version has not changed; `undefined` as version requires that the text does not exist
   * yet.
   *
   * @returns false if the version has changed; nothing was written then.
   */
  replaceText(path: string, text: string, version: string | undefined): Promise<boolean>;
  /** Stores a file at a path, completely or not at all. */
  put(path: string, file: ReadyFile): Promise<void>;
  /** Returns length and SHA-256 of a file; `undefined` if there is none. */
  measure(path: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined>;
  /** Removes files; files that no longer exist are ignored. */
  remove(paths: readonly string[]): Promise<void>;
  /** Paths of all files. */
  list(): AsyncIterable<string>;
}
