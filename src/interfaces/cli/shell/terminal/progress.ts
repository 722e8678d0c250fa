import { visibleText } from "../../../../base/text/visible_text.ts";
import type { CliIo, TextSink } from "../io/cli_io.ts";
import { fitText } from "./text_width.ts";

const ESCAPE = "\x1b[";

/** Milliseconds until a command shows that it works, and between two looks. */
const FIRST_SIGN = 900;

/** Milliseconds between two lines where nothing can be replaced in place. */
const MINUTE = 50_000;

/**
 * Progress display of a command. On a terminal these are lines on stderr, each time in place of those before; they are
 * erased before anything else is written there. Elsewhere it is about a line a minute.
 */
export class Progress {
  /** The world of the command: what it writes erases the lines of progress first. */
  readonly io: CliIo;

  readonly #stderr: TextSink;
  readonly #isLive: boolean;
  readonly #isQuiet: boolean;
  #shown = 0;
  #writtenAt: number;
  #requests = 0;
  #stopSign: () => void = () => {};

  /** @param options.quiet True to show nothing at all. */
  constructor(io: CliIo, { quiet }: { quiet: boolean }) {
    this.#stderr = io.stderr;
    this.#isQuiet = quiet;
    this.#isLive = io.stderr.isTerminal && io.env["TERM"] !== "dumb";
    this.#writtenAt = io.now();
    this.io = this.#isLive
      ? { ...io, stdout: this.#erasing(io.stdout), stderr: this.#erasing(io.stderr) }
      : io;
  }

  /** True where lines are replaced in place, so that showing them often makes sense. */
  get isLive(): boolean {
    return this.#isLive && !this.#isQuiet;
  }

  /**
   * Shows after a second that the command works: its name, the requests so far and the seconds. Anything else that is
   * written or shown ends that, and a command that is faster shows nothing.
   */
  showWaiting(name: string): void {
    if (!this.isLive || this.io.every === undefined) return;
    const begun = this.io.now();
    this.#stopSign = this.io.every(FIRST_SIGN, () => {
      const seconds = Math.round((this.io.now() - begun) / 1000);
      const requests = this.#requests === 0
        ? ""
        : `${this.#requests} request${this.#requests === 1 ? "" : "s"}, `;
      void this.#draw([`${name}: ${requests}${seconds} s`]).catch(() => {});
    });
  }

  /** Counts a request for {@linkcode showWaiting}. */
  countRequest(): void {
    this.#requests++;
  }

  /** Shows lines in place of those before; where that cannot be, `summary`, at most once a minute. */
  async show(lines: readonly string[], summary = lines.join("; ")): Promise<void> {
    if (this.#isQuiet) return;
    if (!this.#isLive) {
      const now = this.io.now();
      if (now - this.#writtenAt < MINUTE) return;
      this.#writtenAt = now;
      return await this.#stderr.write(`${visibleText(summary)}\n`);
    }
    this.#stopSign();
    await this.#draw(lines);
  }

  async #draw(lines: readonly string[]): Promise<void> {
    const width = (this.#stderr.columns ?? 80) - 1;
    const text = lines.map((line) => fitText(visibleText(line), width).trimEnd()).join("\n");
    const erase = this.#takeErasure();
    this.#shown = lines.length;
    await this.#stderr.write(erase + text);
  }

  /** Erases what is shown. */
  async clear(): Promise<void> {
    this.#stopSign();
    const erase = this.#takeErasure();
    if (erase !== "") await this.#stderr.write(erase);
  }

  #erasing(sink: TextSink): TextSink {
    return {
      isTerminal: sink.isTerminal,
      get columns() {
        return sink.columns;
      },
      write: async (text) => {
        this.#stopSign();
        // At once: between two writes others could show new lines.
        if (sink === this.#stderr) return await sink.write(this.#takeErasure() + text);
        if (sink.isTerminal) await this.clear();
        await sink.write(text);
      },
    };
  }

  /** Sequence that moves to the beginning of the first line and clears the rest; empty where nothing is shown. */
  #takeErasure(): string {
    const lines = this.#shown;
    this.#shown = 0;
    if (lines === 0) return "";
    return `\r${lines > 1 ? `${ESCAPE}${lines - 1}A` : ""}${ESCAPE}J`;
  }
}
