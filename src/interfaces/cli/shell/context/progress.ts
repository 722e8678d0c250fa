import { visibleText } from "../../../../base/text/visible_text.ts";
import type { CliIo, TextSink, TextSource } from "../io/cli_io.ts";
import { fitText } from "../io/text_width.ts";
export type { WorkPart } from "./work_tally.ts";
import { type WorkCount, type WorkNames, type WorkPart, WorkTally } from "./work_tally.ts";

const ESCAPE = "\x1b[";

/** Milliseconds before progress is shown, so that fast commands show none. */
const FIRST_SIGN = 900;

const LOOK = 150;

/** Milliseconds between lines of output that cannot be replaced in place. */
const MINUTE = 50_000;

export interface Work {
  part(key: string, part: WorkPart): void;
  count(count: WorkCount): void;
  /** Erases the display; on a terminal, then writes a summary line per profile, if there are any. */
  end(): Promise<void>;
}

/**
 * On a terminal, redraws lines on stderr and erases them before anything else is written. Elsewhere, prints about one
 * line per minute. A closed stderr is ignored.
 */
export class Progress {
  /** Wraps the streams, so that any output first erases the progress lines. */
  readonly io: CliIo;

  readonly #stderr: TextSink;
  readonly #isTerminal: boolean;
  readonly #isQuiet: boolean;
  #name: string | undefined;
  #begunAt: number;
  #lookedAt = -Infinity;
  #writtenAt: number;
  #requests = 0;
  #works: readonly WorkTally[] = [];
  #questions = 0;
  #text = "";
  #lines = 0;
  #stopLooking: () => void = () => {};

  constructor(io: CliIo, { quiet }: { quiet: boolean }) {
    this.#stderr = io.stderr;
    this.#isQuiet = quiet;
    this.#isTerminal = io.stderr.isTerminal && io.env["TERM"] !== "dumb";
    this.#begunAt = this.#writtenAt = io.now();
    this.io = this.#isTerminal
      ? {
        ...io,
        stdout: this.#erasing(io.stdout),
        stderr: this.#erasing(io.stderr),
        stdin: this.#asking(io.stdin),
      }
      : io;
  }

  begin(name: string): void {
    this.#name = name;
    this.#begunAt = this.io.now();
    if (!this.#isTerminal || this.#isQuiet || this.io.every === undefined) return;
    this.#stopLooking = this.io.every(LOOK, () => this.#look());
  }

  countRequest(): void {
    this.#requests++;
  }

  work(names: WorkNames): Work {
    const tally = new WorkTally(names, this.io.now());
    this.#works = [...this.#works, tally];
    return {
      part: (key, part) => {
        tally.part(key, part, this.io.now());
        this.#look();
      },
      count: (count) => {
        tally.count(count);
        this.#look();
      },
      end: async () => {
        if (!this.#works.includes(tally)) return;
        this.#works = this.#works.filter((one) => one !== tally);
        await this.#erase();
        if (this.#isTerminal && !this.#isQuiet) await this.#write(tally.results(this.io.now()));
      },
    };
  }

  async clear(): Promise<void> {
    this.#stopLooking();
    this.#works = [];
    this.#name = undefined;
    await this.#erase();
  }

  #look(): void {
    const now = this.io.now();
    const work = this.#works.at(-1);
    if (this.#isQuiet || this.#questions > 0) return;
    if (!this.#isTerminal) {
      if (work === undefined || now - this.#writtenAt < MINUTE) return;
      this.#writtenAt = now;
      void this.#write([work.summary(now)]);
      return;
    }
    if (now - this.#begunAt < FIRST_SIGN || now - this.#lookedAt < LOOK) return;
    this.#lookedAt = now;
    void this.#draw(work?.lines(now) ?? this.#waiting(now));
  }

  #waiting(now: number): string[] {
    if (this.#name === undefined) return [];
    const requests = this.#requests === 0
      ? ""
      : `${this.#requests} request${this.#requests === 1 ? "" : "s"}, `;
    return [`${this.#name}: ${requests}${Math.round((now - this.#begunAt) / 1000)} s`];
  }

  async #draw(lines: readonly string[]): Promise<void> {
    const width = (this.#stderr.columns ?? 80) - 1;
    const text = lines.map((line) => fitText(visibleText(line), width).trimEnd()).join("\n");
    if (text === this.#text) return;
    const erase = this.#takeErasure();
    this.#text = text;
    this.#lines = lines.length;
    await this.#stderr.write(erase + text).catch(() => {});
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#stderr.write(lines.map((line) => `${visibleText(line)}\n`).join("")).catch(() => {});
  }

  async #erase(): Promise<void> {
    const erase = this.#takeErasure();
    if (erase !== "") await this.#stderr.write(erase).catch(() => {});
  }

  #erasing(sink: TextSink): TextSink {
    return {
      isTerminal: sink.isTerminal,
      get columns() {
        return sink.columns;
      },
      write: async (text) => {
        // What was written says enough of the command.
        this.#name = undefined;
        // At once: between two writes others could show new lines.
        if (sink === this.#stderr) return await sink.write(this.#takeErasure() + text);
        if (sink.isTerminal) await this.#erase();
        await sink.write(text);
      },
    };
  }

  /** Pauses drawing while a question is asked. */
  #asking(source: TextSource): TextSource {
    return {
      isTerminal: source.isTerminal,
      text: () => source.text(),
      pieces: () => source.pieces(),
      line: async (options) => {
        this.#questions++;
        try {
          return await source.line(options);
        } finally {
          this.#questions--;
        }
      },
    };
  }

  #takeErasure(): string {
    const lines = this.#lines;
    this.#lines = 0;
    this.#text = "";
    if (lines === 0) return "";
    return `\r${lines > 1 ? `${ESCAPE}${lines - 1}A` : ""}${ESCAPE}J`;
  }
}
