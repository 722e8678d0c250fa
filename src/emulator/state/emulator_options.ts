import type { ClockOptions } from "../core/clock.ts";
import type { AccountCopy } from "./account_copy.ts";
import type { FaultProfileName } from "../faults/fault_profiles.ts";
import type { FaultRule } from "../faults/fault_rule.ts";
import type { Quirks } from "../core/quirks.ts";

/** Options of {@linkcode Emulator.start}. */
export interface EmulatorOptions {
  /** False to open no port; requests then arrive only through {@linkcode Emulator.fetch}. @default true */
  readonly listen?: boolean;
  /** Port. @default 0, any free port */
  readonly port?: number;
  /** Address to listen on; any other than a loopback address requires `exposeToNetwork`. @default "127.0.0.1" */
  readonly host?: string;
  /**
   * Admits requests from other machines. There is no password: they can read and change everything in the emulator,
   * move its clock, and read its credentials. @default false
   */
  readonly exposeToNetwork?: boolean;
  /**
   * Origins of web pages that may read responses and use the control host, such as `http://127.0.0.1:8080`. The
   * platform itself allows no web pages, so a browser needs a server in between.
   *
   * @default none
   */
  readonly allowOrigins?: readonly string[];
  /** Public URL for clients, if it differs from the listening address. @default the listening address */
  readonly publicUrl?: string;
  /** Chooses the demo account: equal seeds give equal accounts and credentials. @default "demo" */
  readonly seed?: string;
  /** Account copy to run in place of the demo account. @default none: the demo account */
  readonly account?: AccountCopy;
  /** Number of profiles in the demo account. @default 8 */
  readonly profiles?: number;
  /** Adds names with terminal control sequences, to test programs that print them. @default false */
  readonly hostileNames?: boolean;
  /** File that keeps the state, so that a killed emulator resumes. @default none: the state ends with the process */
  readonly statePath?: string;
  /** Time and speed of the clock; a state file has its own. @default the machine's time */
  readonly clock?: ClockOptions;
  /** Initial faults: rules, or the name of a set. @default those that the state file keeps, else none */
  readonly faults?: readonly FaultRule[] | FaultProfileName;
  /** JSON file with faults and quirks: `{ "profile", "rules", "quirks" }`. Its rules come after `faults`. @default none */
  readonly faultFile?: string;
  /**
   * Quirks of the platform; they take precedence over those of the fault file.
   *
   * @default those of {@linkcode DEFAULT_QUIRKS}
   */
  readonly quirks?: Partial<Quirks>;
  /** The platform's own word in paths, header names and media types. @default "platform" */
  readonly wireWord?: string;
  /** Folder into which exchanges with the API hosts are written as fixtures. @default none */
  readonly recordTo?: string;
  /** Maximum number of requests in the journal. @default 10000 */
  readonly journalLimit?: number;
  /** Waits for `milliseconds`, for faults with a delay. @default a timer */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}
