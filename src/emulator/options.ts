import type { ClockOptions } from "./clock.ts";
import type { FaultRule } from "./faults/fault_rule.ts";
import type { Quirks } from "./quirks.ts";

/** How an emulator is started. */
export interface EmulatorOptions {
  /** Port on the loopback address. @default 0, any free port */
  readonly port?: number;
  /** Chooses the demo account: equal seeds give equal accounts and credentials. @default "demo" */
  readonly seed?: string;
  /** File that keeps the state, so that a killed emulator resumes. @default none: the state ends with the process */
  readonly statePath?: string;
  /** Where the clock stands and whether it runs; a state file brings its own. @default the machine's time */
  readonly clock?: ClockOptions;
  /** Faults to begin with. @default none */
  readonly faults?: readonly FaultRule[];
  /** Habits of the platform. @default successes out of order, every fourth further page of a list empty */
  readonly quirks?: Partial<Quirks>;
  /** How many requests the journal keeps. @default 10000 */
  readonly journalLimit?: number;
  /** Waits so many milliseconds, for faults with a delay. @default a timer */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}
