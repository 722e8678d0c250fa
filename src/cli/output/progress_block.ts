import type { CliContext } from "../core/context.ts";
import { fitText } from "./text_width.ts";

const ESCAPE = "\x1b[";

/** Some lines on stderr that tell how far a command is, each time in place of those before; for terminals alone. */
export class ProgressBlock {
  readonly #context: CliContext;
  #shown = 0;

  /** Knows from the context where the lines are shown. */
  constructor(context: CliContext) {
    this.#context = context;
  }

  /** Puts lines in place of those before. */
  async show(lines: readonly string[]): Promise<void> {
    const { stderr } = this.#context.io;
    const width = (stderr.columns ?? 80) - 1;
    const text = lines.map((line) => fitText(line, width).trimEnd()).join("\n");
    await stderr.write(this.#back() + text);
    this.#shown = lines.length;
  }

  /** Takes the lines away. */
  async end(): Promise<void> {
    if (this.#shown === 0) return;
    await this.#context.io.stderr.write(this.#back());
    this.#shown = 0;
  }

  /** Goes to where the first line began, and clears what follows. */
  #back(): string {
    if (this.#shown === 0) return "";
    return `\r${this.#shown > 1 ? `${ESCAPE}${this.#shown - 1}A` : ""}${ESCAPE}J`;
  }
}
