import type { CliContext } from "../core/context.ts";

/** One line on stderr that tells how far a command is; nothing where nobody looks. */
export class Progress {
  readonly #context: CliContext;
  #shown = 0;

  /** Knows from the context where the line is shown, and whether. */
  constructor(context: CliContext) {
    this.#context = context;
  }

  /** Puts a text in place of the one before. */
  async show(text: string): Promise<void> {
    const { io, globals } = this.#context;
    if (!io.stderr.isTerminal || globals.quiet) return;
    const line = text.slice(0, (io.stderr.columns ?? 80) - 1);
    await io.stderr.write(`\r${line.padEnd(this.#shown)}`);
    this.#shown = line.length;
  }

  /** Takes the line away. */
  async end(): Promise<void> {
    if (this.#shown === 0) return;
    await this.#context.io.stderr.write(`\r${" ".repeat(this.#shown)}\r`);
    this.#shown = 0;
  }
}
