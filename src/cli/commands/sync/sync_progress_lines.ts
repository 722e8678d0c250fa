import type { SyncProgress } from "../../../store/sync/sync_options.ts";
import type { CliContext } from "../../context.ts";
import { Progress } from "../../progress.ts";

const BAR = 20;

/** What a report does that is worth a line where nobody watches a bar. */
const WORTH_A_LINE: ReadonlySet<SyncProgress["kind"]> = new Set(["asked", "resumed", "throttled", "stored"]);

/** How far a sync is: a bar with counts, rows and age on a terminal, a plain line for each step elsewhere. */
export class SyncProgressLines {
  readonly #context: CliContext;
  readonly #bar: Progress;
  #planned = 0;
  #done = 0;
  #stored = 0;
  readonly #coming = new Map<string, number>();
  #writing: Promise<void> = Promise.resolve();

  /** @param context Where it is told. */
  constructor(context: CliContext) {
    this.#context = context;
    this.#bar = new Progress(context);
  }

  /** Takes a step of the sync. */
  tell(progress: SyncProgress): void {
    const { kind, rows } = progress;
    const key = [progress.profileId, progress.report, progress.start].join();
    if (kind === "planned") this.#planned++;
    if (kind === "storing") this.#coming.set(key, rows);
    if (kind === "stored" || kind === "failed" || kind === "left") {
      this.#done++;
      this.#stored += rows;
      this.#coming.delete(key);
    }
    const { stderr } = this.#context.io;
    if (stderr.isTerminal) this.#later(() => this.#bar.show(this.#text(progress)));
    else if (WORTH_A_LINE.has(kind)) this.say(lineOf(progress));
  }

  /** Writes a line of its own. */
  say(line: string): void {
    if (this.#context.globals.quiet) return;
    this.#later(async () => {
      await this.#bar.end();
      await this.#context.io.stderr.write(`${line}\n`);
    });
  }

  /** Takes the bar away, once everything is written. */
  async end(): Promise<void> {
    this.#later(() => this.#bar.end());
    await this.#writing;
  }

  #later(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write);
  }

  #text({ countryCode, report, start, end, status, seconds }: SyncProgress): string {
    const full = this.#planned === 0 ? 0 : Math.floor(this.#done / this.#planned * BAR);
    const rows = [...this.#coming.values()].reduce((sum, more) => sum + more, this.#stored);
    const bar = "█".repeat(full) + "░".repeat(BAR - full);
    return `${bar} ${this.#done}/${this.#planned} reports, ${rows.toLocaleString("en-US")} rows | ` +
      `${countryCode} ${report} ${start} to ${end}: ${status.toLowerCase()}, ${age(seconds)} old`;
  }
}

function lineOf({ kind, countryCode, profileId, report, start, end, rows, seconds }: SyncProgress): string {
  const which = `${countryCode} ${profileId} ${report} ${start} to ${end}`;
  if (kind === "stored") return `${which}: stored ${rows} rows after ${age(seconds)}`;
  if (kind === "throttled") return `${which}: throttled, will ask again`;
  return `${which}: ${kind}`;
}

function age(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
