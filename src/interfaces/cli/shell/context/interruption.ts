import type { CliIo } from "../io/cli_io.ts";
import { InterruptedError } from "../io/take_line.ts";

/**
 * Handles Ctrl-C: it ends the requests in flight; where a command chooses so, the first one only stops the sending of
 * further requests, and the second ends those in flight. One more ends the program.
 */
export class Interruption {
  readonly #abort = new AbortController();
  readonly #release: () => void;
  #stop: AbortController | undefined;

  /**
   * Begins to listen.
   *
   * @param io Where Ctrl-C comes from.
   * @param kill Ends the program at once.
   */
  constructor(io: CliIo, kill: () => void) {
    this.#release = io.onInterrupt(() => {
      if (this.#stop !== undefined && !this.#stop.signal.aborted) {
        // A worker's stderr is a log for programs, which did not press Ctrl-C.
        if (io.stderr.isTerminal) {
          void io.stderr.write("\nStopping when the current work is done. Ctrl-C again stops at once\n");
        }
        this.#stop.abort(new InterruptedError());
      } else if (!this.#abort.signal.aborted) this.#abort.abort(new InterruptedError());
      else kill();
    });
  }

  /** Ends requests in flight and waits. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when Ctrl-C was pressed. */
  get happened(): boolean {
    return this.#abort.signal.aborted || this.#stop?.signal.aborted === true;
  }

  /** From now on the first Ctrl-C fires the signal that is returned, and only the next one ends requests in flight. */
  finishFirst(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  /** Stops listening. */
  close(): void {
    this.#release();
  }
}
