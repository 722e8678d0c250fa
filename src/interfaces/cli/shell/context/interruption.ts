import type { CliIo } from "../io/cli_io.ts";
import { InterruptedError } from "../io/take_line.ts";

/**
 * By default, Ctrl-C aborts requests in flight. After `finishFirst`, the first Ctrl-C only stops new requests and the
 * second aborts. One more kills the program.
 */
export class Interruption {
  readonly #abort = new AbortController();
  readonly #release: () => void;
  #stop: AbortController | undefined;

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

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get happened(): boolean {
    return this.#abort.signal.aborted || this.#stop?.signal.aborted === true;
  }

  /** From now on the first Ctrl-C only fires the returned signal; the next one aborts requests in flight. */
  finishFirst(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  close(): void {
    this.#release();
  }
}
