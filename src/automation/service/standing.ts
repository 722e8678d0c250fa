import type { ServiceTimer } from "./model/service.ts";
import type { ServiceRun } from "./model/service_state.ts";
import { dueAt, nextDue } from "./model/timer.ts";

/** Tolerance in milliseconds; runs that start later count as missed. */
const GRACE = 10 * 60_000;
/** Milliseconds before each retry. */
const RETRIES = [5, 15, 60, 120].map((minutes) => minutes * 60_000);
const LATE = 2 * 3_600_000;

/** State of a timer at a given moment: due, or when it will be. Times are milliseconds since the epoch. */
export interface Standing {
  /** Last time at which the timer was due. */
  readonly due: number;
  /** Next time at which the timer is due. */
  readonly next: number;
  /** True if the timer should run now. */
  readonly isDue: boolean;
  /** Number of the attempt that would be made now, from 1. */
  readonly attempt: number;
  /** Time of the next attempt after a failure. */
  readonly retryAt?: number | undefined;
  /** True if the timer is overdue by twice its interval or two hours, or has been running for more than two hours. */
  readonly isLate: boolean;
}

/**
 * @param runs In order of execution. Earlier runs are needed too: services with a shared store and different clocks
 * could otherwise alternate forever.
 */
export function standingOf(
  { timer, missed }: Pick<ServiceTimer, "timer" | "missed">,
  runs: readonly ServiceRun[],
  { now, zone }: { readonly now: number; readonly zone: string },
): Standing {
  const due = dueAt(timer, now, zone);
  const next = nextDue(timer, now, zone);
  const run = runs.at(-1);
  // A run of a later time was made by a clock that was ahead, and says nothing.
  const known = run !== undefined && run.due >= due && run.due <= next
    ? run
    : validRuns(runs).find((one) => one.due >= due && one.due < next);
  const allowed = Math.min(2 * (next - due), LATE);
  if (known === undefined) {
    const isDue = missed === "run" || now - due <= GRACE;
    return { due, next, isDue, attempt: 1, isLate: isDue && run !== undefined && now - due > allowed };
  }
  // What was missed and is made up for now is late only when that takes long, too.
  const isLate = known.outcome !== "done" &&
    now - Math.max(due, known.startedAt) > (known.outcome === null ? LATE : allowed);
  const base = { due: known.due, next, isLate };
  switch (known.outcome) {
    case "done":
      return { ...base, isDue: false, attempt: known.attempt };
    case "stopped":
      return { ...base, isDue: true, attempt: known.attempt };
    default: {
      // Without an end it is under way elsewhere, which a lease tells, or its process was killed.
      const pause = known.outcome === null ? 0 : RETRIES[known.attempt - 1];
      const isLast = known.attempt > RETRIES.length;
      if (pause === undefined || isLast) return { ...base, isDue: false, attempt: known.attempt };
      const retryAt = (known.endedAt ?? known.startedAt) + pause;
      return { ...base, isDue: now >= retryAt, attempt: known.attempt + 1, retryAt };
    }
  }
}

/**
 * Returns runs with plausible times, newest first. Two later runs with earlier times show that a run's clock was
 * wrong.
 */
function validRuns(runs: readonly ServiceRun[]): ServiceRun[] {
  return runs
    .filter(({ due }, at) => runs.slice(at + 1).filter((later) => later.due < due).length < 2)
    .toReversed();
}
