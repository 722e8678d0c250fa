export interface TextSink {
  readonly isTerminal: boolean;
  /** Columns of the terminal; `undefined` where there is none. */
  readonly columns: number | undefined;
  /**
   * Resolves once the text is written.
   *
   * @throws {BrokenPipeError} when the reader has closed its end.
   */
  write(text: string): Promise<void>;
}

export interface TextSource {
  readonly isTerminal: boolean;
  text(): Promise<string>;
  /** Pieces are read on demand. */
  pieces(): AsyncIterable<string>;
  /**
   * `undefined` at the end of input.
   *
   * @param options.echo False to hide a secret.
   * @param options.signal Aborts the wait.
   */
  line(options: { echo: boolean; signal: AbortSignal }): Promise<string | undefined>;
}

export interface CliIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly stdin: TextSource;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** True if the process can be restarted for queries that may have to be killed. */
  readonly isProgram?: true;
  readonly sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>;
  readonly every?: (milliseconds: number, handler: () => void) => () => void;
  onInterrupt(handler: () => void): () => void;
}

/** The reader closed the pipe, as `head` does after its last line. Not a failure. */
export class BrokenPipeError extends Error {
  constructor() {
    super("The reader of the output has closed its end");
    this.name = "BrokenPipeError";
  }
}
