import { isSettled, type SyncProgress } from "../../../../store/sync/options/sync_options.ts";
import type { CliContext } from "../../shell/context/context.ts";

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

const BAR = 20;
const SMALL_BAR = 8;

/** Reports that are shown with a line of their own at the same time. */
const SHOWN = 8;

/** One report, as its last step reported it. */
interface Part {
  readonly told: SyncProgress;
  readonly at: number;
}

/** One report of one profile: the parts that its days are asked for in. */
interface Line {
  readonly countryCode: string;
  readonly profileId: string;
  readonly report: string;
  readonly parts: Map<string, Part>;
}

/** Sums up the progress events of a sync as lines to watch. */
export class SyncTally {
  readonly #lines = new Map<string, Line>();
  #begunAt = 0;

  /**
   * Takes a step of the sync.
   *
   * @param at When, in milliseconds.
   */
  add(told: SyncProgress, at: number): void {
    const { countryCode, profileId, report, start, end } = told;
    const key = `${profileId} ${report}`;
    if (this.#lines.size === 0) this.#begunAt = at;
    const line = this.#lines.get(key) ?? { countryCode, profileId, report, parts: new Map() };
    this.#lines.set(key, line);
    line.parts.set(`${start} ${end}`, { told, at });
  }

  /**
   * A bar over everything with counts and rows, then one for each report of a profile that is not finished, with its
   * rows, where its furthest part stands, and the age of its oldest part.
   *
   * @param now Milliseconds.
   */
  lines(now: number): string[] {
    const all = [...this.#lines.values()];
    const parts = all.flatMap((line) => [...line.parts.values()]);
    const failed = parts.filter(({ told: { kind } }) => ["held", "failed", "left"].includes(kind)).length;
    const open = all.filter((line) => openParts(line).length > 0);
    const shown = open.slice(0, SHOWN);
    const labels = shown.map((line) => this.#label(line));
    const width = Math.max(0, ...labels.map(({ length }) => length));
    const rest = open.length - shown.length;
    return [
      `${bar(parts, BAR)} ${finished(parts)}/${parts.length} reports${underWay(parts)}, ${
        rowsOf(parts)
      } rows` +
      (failed === 0 ? "" : `, ${failed} not stored`) + this.#left(parts, now),
      ...shown.map((line, index) => `  ${labels[index]!.padEnd(width)} ${lineText(line, now)}`),
      ...rest === 0 ? [] : [`  and ${rest} more`],
    ];
  }

  /** The same in one line: counts, rows, and the first report that is not finished. */
  summary(now: number): string {
    const all = [...this.#lines.values()];
    const parts = all.flatMap((line) => [...line.parts.values()]);
    const open = all.find((line) => openParts(line).length > 0);
    const next = open === undefined ? "" : `; ${this.#label(open)} ${standingText(open, now)}`;
    return `${finished(parts)} of ${parts.length} reports, ${rowsOf(parts)} rows${next}`;
  }

  /** Elapsed time, and the time left at the rate so far. */
  #left(parts: readonly Part[], now: number): string {
    const seconds = (now - this.#begunAt) / 1000;
    const done = finished(parts);
    if (seconds < 1) return "";
    const rest = done === 0 || done === parts.length
      ? ""
      : `, about ${age(seconds / done * (parts.length - done))} left`;
    return `, ${age(seconds)}${rest}`;
  }

  /** Names the profile by its country, and by its id as well where two have the same. */
  #label({ countryCode, profileId, report }: Line): string {
    const isTwin = [...this.#lines.values()].some((other) =>
      other.countryCode === countryCode && other.profileId !== profileId
    );
    return `${countryCode}${isTwin ? ` ${profileId}` : ""} ${report}`;
  }
}

/** Seconds in words. */
function age(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function lineText(line: Line, now: number): string {
  const parts = [...line.parts.values()];
  return `${bar(parts, SMALL_BAR)} ${finished(parts)}/${parts.length}, ${rowsOf(parts)} rows, ` +
    standingText(line, now);
}

/** Status of the furthest open part, and the age of the oldest. */
function standingText(line: Line, now: number): string {
  const open = openParts(line);
  const seconds = Math.max(...open.map(({ told, at }) => told.seconds + Math.max(0, now - at) / 1000));
  const furthest = open.reduce((far, part) => rank(part) > rank(far) ? part : far);
  return `${standing(furthest.told)}, ${age(seconds)} old`;
}

function openParts({ parts }: Line): Part[] {
  return [...parts.values()].filter((part) => !isFinished(part));
}

function isFinished({ told }: Part): boolean {
  return isSettled(told);
}

function finished(parts: readonly Part[]): number {
  return parts.filter(isFinished).length;
}

/** Reports that the platform builds or that are being stored now. */
function underWay(parts: readonly Part[]): string {
  const count = parts.filter(({ told }) => !isSettled(told) && told.kind !== "planned").length;
  return count === 0 ? "" : `, ${count} under way`;
}

function rowsOf(parts: readonly Part[]): string {
  return parts.reduce((sum, { told: { rows } }) => sum + rows, 0).toLocaleString("en-US");
}

function bar(parts: readonly Part[], width: number): string {
  const full = parts.length === 0 ? 0 : Math.floor(finished(parts) / parts.length * width);
  return "█".repeat(full) + "░".repeat(width - full);
}

/** Status of a report, in a word. */
function standing({ kind, status }: SyncProgress): string {
  if (kind === "planned") return "to be asked for";
  return kind === "waiting" ? status.toLowerCase() : kind;
}

function rank({ told: { kind, status } }: Part): number {
  if (kind === "waiting") return status === "PROCESSING" ? 4 : 3;
  return { planned: 0, throttled: 1, asked: 2, resumed: 2, storing: 5 }[kind as "planned"] ?? 6;
}
