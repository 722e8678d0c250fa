/** One description that an index links to, and the file it was stored in. */
export interface ManifestEntry {
  /** Its address. */
  readonly source: string;
  /** Name of the file it was written to; absent when it could not be fetched or read. */
  readonly file?: string;
  /** Why it could not be fetched or read. */
  readonly error?: string;
}

/** What a fetch stored: `manifest.json` beside the descriptions. */
export interface Manifest {
  /** Address of the index. */
  readonly index: string;
  /** True when every index and every description was read, so that what is missing does not exist any more. */
  readonly complete: boolean;
  /** Descriptions in the order of their addresses. */
  readonly descriptions: readonly ManifestEntry[];
}
