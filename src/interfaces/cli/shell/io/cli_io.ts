/** Destination of text. */
export interface TextSink {
  readonly isTerminal: boolean;
  /** Columns of the terminal; `undefined` where there is none. */
  readonly columns: number | undefined;
  /**
   * Writes text and waits until it is written.
   *
   * @throws {BrokenPipeError} when the reader has closed its end.
   */
  write(text: string): Promise<void>;
}

export interface TextSource {
  readonly isTerminal: boolean;
  /** Everything up to the end, as UTF-8. */
  text(): Promise<string>;
  /** The same in pieces, as they come; the next one is read when it is asked for. */
  pieces(): AsyncIterable<string>;
  /**
   * One line that a person types; `undefined` at the end of the input.
   *
   * @param options.echo False for a secret, which is not shown.
   * @param options.signal Ends the waiting.
   */
  line(options: { echo: boolean; signal: AbortSignal }): Promise<string | undefined>;
}

/** The world of a command: everything it reads and writes besides files and the network. */
export interface CliIo {
  /** Data, and nothing else. */
  readonly stdout: TextSink;
  /** Progress, warnings, questions, errors. */
  readonly stderr: TextSink;
  /** Input. */
  readonly stdin: TextSource;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Sends requests; the runtime's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
  /** True for the program of this process, which can be started again for queries that may have to be ended. */
  readonly isProgram?: true;
  /** Waits for `seconds`; the runtime's own when absent. */
  readonly sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `handler` at intervals until the function that it returns is called; absent where a command shows no waiting. */
  readonly every?: (milliseconds: number, handler: () => void) => () => void;
  /** Calls `handler` at each Ctrl-C (or request to end) and returns what takes it off again. */
  onInterrupt(handler: () => void): () => void;
}

/** The reader of the output has closed its end, as `head` does after its last line. Not a failure. */
export class BrokenPipeError extends Error {
  constructor() {
    super("The reader of the output has closed its end");
    this.name = "BrokenPipeError";
  }
}
