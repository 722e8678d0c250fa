/** Header rows of downloaded files as `catalog/console_headers.json` holds them. */
export interface ConsoleHeadersData {
  /** Headers, each once. */
  readonly headers: readonly string[];
  /** Columns of the platform that headers stand for; those that begin with `-` are not stored. */
  readonly meanings: readonly string[];
  /**
   * By report, product, language and certainty, parted by `|`: the columns, parted by spaces, each with the places of its
   * header, its meaning and, in bulk sheets of other languages, its English header.
   */
  readonly lists: Readonly<Record<string, string>>;
  /** By column and English word: language, kind of source and word, parted by `|`. */
  readonly words: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

declare const data: ConsoleHeadersData;
export default data;
