import type { SyncProgress } from "../../../store/sync/sync_options.ts";
import type { CliContext } from "../../core/context.ts";
import { age, SyncTally } from "./sync_tally.ts";

/** Milliseconds between two redraws. */
const REDRAW = 200;

/** Steps of a report that are worth a line where no bars are drawn. */
const WORTH_A_LINE: ReadonlySet<SyncProgress["kind"]> = new Set([
  "asked",
  "resumed",
  "throttled",
  "stored",
  "found",
  "held",
]);

/** Progress of a sync: bars with counts, rows and age on a terminal; elsewhere a line for each step and each minute. */
export class SyncProgressLines {
  readonly #context: CliContext;
  readonly #tally = new SyncTally();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param context Where the lines are shown. */
  constructor(context: CliContext) {
    this.#context = context;
  }

  /** Takes a step of the sync. */
  tell(step: SyncProgress): void {
    const { progress, io } = this.#context;
    this.#tally.add(step, io.now());
    if (!progress.isLive) {
      if (WORTH_A_LINE.has(step.kind)) this.say(lineOf(step));
      else this.#draw();
    } else if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#draw(), REDRAW);
      queueMicrotask(() => this.#draw());
    }
  }

  /** Writes a line of its own. */
  say(line: string): void {
    if (!this.#context.globals.quiet) void this.#context.io.stderr.write(`${line}\n`);
  }

  /** Ends the redrawing and erases the bars. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#context.progress.clear();
  }

  #draw(): void {
    const { progress, io } = this.#context;
    const lines = this.#tally.lines(io.now());
    void progress.show(lines, this.#tally.summary(io.now()));
  }
}

function lineOf({ kind, countryCode, profileId, report, start, end, rows, seconds }: SyncProgress): string {
  const which = `${countryCode} ${profileId} ${report} ${start} to ${end}`;
  if (kind === "stored") return `${which}: stored ${rows} rows after ${age(seconds)}`;
  if (kind === "found") return `${which}: stored meanwhile by another process, ${rows} rows`;
  if (kind === "throttled") return `${which}: throttled, will ask again`;
  if (kind === "held") return `${which}: stored ${rows} rows, other days were held back`;
  return `${which}: ${kind}`;
}
