import type { SyncProgress } from "../../../store/sync/sync_options.ts";
import type { CliContext } from "../../core/context.ts";
import { ProgressBlock } from "../../output/progress_block.ts";
import { age, SyncTally } from "./sync_tally.ts";

/** Milliseconds between two looks of somebody who watches. */
const REDRAW = 200;

/** What a report does that is worth a line where nobody watches bars. */
const WORTH_A_LINE: ReadonlySet<SyncProgress["kind"]> = new Set(["asked", "resumed", "throttled", "stored"]);

/** How far a sync is: bars with counts, rows and age on a terminal, a plain line for each step elsewhere. */
export class SyncProgressLines {
  readonly #context: CliContext;
  readonly #block: ProgressBlock;
  readonly #tally = new SyncTally();
  #timer: ReturnType<typeof setInterval> | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param context Where it is told. */
  constructor(context: CliContext) {
    this.#context = context;
    this.#block = new ProgressBlock(context);
  }

  /** Takes a step of the sync. */
  tell(progress: SyncProgress): void {
    const { globals, io } = this.#context;
    if (globals.quiet) return;
    if (!io.stderr.isTerminal || io.env["TERM"] === "dumb") {
      if (WORTH_A_LINE.has(progress.kind)) this.say(lineOf(progress));
      return;
    }
    this.#tally.add(progress, io.now());
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#draw(), REDRAW);
    queueMicrotask(() => this.#draw());
  }

  /** Writes a line of its own. */
  say(line: string): void {
    if (this.#context.globals.quiet) return;
    this.#later(async () => {
      await this.#block.end();
      await this.#context.io.stderr.write(`${line}\n`);
    });
  }

  /** Takes the bars away, once everything is written. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#later(() => this.#block.end());
    await this.#writing;
  }

  #draw(): void {
    this.#later(() => this.#block.show(this.#tally.lines(this.#context.io.now())));
  }

  #later(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write);
  }
}

function lineOf({ kind, countryCode, profileId, report, start, end, rows, seconds }: SyncProgress): string {
  const which = `${countryCode} ${profileId} ${report} ${start} to ${end}`;
  if (kind === "stored") return `${which}: stored ${rows} rows after ${age(seconds)}`;
  if (kind === "throttled") return `${which}: throttled, will ask again`;
  return `${which}: ${kind}`;
}
