import { dayAt } from "./day_span.ts";

/** Options of the emulator's clock. */
export interface ClockOptions {
  /** Time at the start, ISO 8601. @default the machine's time */
  readonly now?: string;
  /** True to start with a frozen clock. @default false */
  readonly frozen?: boolean;
}

/** Clock in the state file. */
export interface ClockRecord {
  /** Milliseconds between this clock and the machine's. */
  readonly offset: number;
  /** Time at which the clock was frozen, in milliseconds since the epoch; absent while the clock runs. */
  readonly frozenAt?: number;
}

/**
 * Clock of the emulator, which can run, be frozen and be moved. Tokens, reports and retention depend on it.
 *
 * @example
 * ```ts
 * import type { Emulator } from "@platform/ads/emulator";
 *
 * function tomorrow(emulator: Emulator): string {
 *   emulator.clock.advance(86_400); // tokens, reports and retention follow
 *   return emulator.clock.day("UTC");
 * }
 * ```
 */
export class Clock {
  #offset = 0;
  #frozenAt: number | undefined;
  readonly #machine: () => number;

  /**
   * Creates a clock that starts as given in the options.
   *
   * @param machine Gives the machine's time in milliseconds since the epoch.
   * @throws {RangeError} when `options.now` is not a moment.
   */
  constructor(options: ClockOptions = {}, machine: () => number = Date.now) {
    this.#machine = machine;
    const start = options.now === undefined ? machine() : moment(options.now);
    this.#offset = start - machine();
    if (options.frozen) this.#frozenAt = start;
  }

  /** Returns the current time in milliseconds since the epoch. */
  now(): number {
    return this.#frozenAt ?? this.#machine() + this.#offset;
  }

  /** Returns the current time as ISO 8601 text in UTC. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }

  /** Returns the current day in a time zone, `YYYY-MM-DD`. */
  day(timeZone: string): string {
    return dayAt(this.now(), timeZone);
  }

  /** Moves the clock forward, or back if the number is negative. */
  advance(seconds: number): void {
    if (!Number.isFinite(seconds)) {
      throw new RangeError(`Cannot advance the clock: "${seconds}" is not a number`);
    }
    this.#moveTo(this.now() + seconds * 1000);
  }

  /**
   * Sets the clock to a moment, ISO 8601.
   *
   * @throws {RangeError} when it is not a moment.
   */
  set(now: string): void {
    this.#moveTo(moment(now));
  }

  /** Freezes the clock at its current time. */
  freeze(): void {
    this.#frozenAt = this.now();
  }

  /** Resumes a frozen clock from its current time. */
  thaw(): void {
    if (this.#frozenAt === undefined) return;
    this.#offset = this.#frozenAt - this.#machine();
    this.#frozenAt = undefined;
  }

  /** Returns the clock as stored in the state file. */
  toRecord(): ClockRecord {
    return {
      offset: this.#offset,
      ...(this.#frozenAt === undefined ? {} : { frozenAt: this.#frozenAt }),
    };
  }

  /** Restores the clock from the state file. */
  restore(record: ClockRecord): void {
    this.#offset = record.offset;
    this.#frozenAt = record.frozenAt;
  }

  #moveTo(time: number): void {
    if (Number.isNaN(new Date(time).getTime())) {
      throw new RangeError("Cannot move the clock: the time is outside the range of dates");
    }
    if (this.#frozenAt !== undefined) this.#frozenAt = time;
    else this.#offset = time - this.#machine();
  }
}

function moment(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new RangeError(`Cannot set the clock: "${text}" is not a moment like "2026-09-30T12:00:00Z"`);
  }
  return time;
}
