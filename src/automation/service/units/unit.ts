import type { WatchChannel } from "../../watch/watch_file.ts";
import type { ServiceWork } from "../model/service.ts";
import type { DoWork } from "../model/work_run.ts";

/** Facts and work of a unit. Its modules are loaded when it runs, because commands load the facts at their start. */
export interface Unit {
  /** Key of a service file that gives its time, if it has no timer of its own. */
  readonly timedBy?: "sync" | "scripts";
  /** Timer in a new service file, with a note for its readers. */
  readonly usual?: { readonly at: string; readonly note?: string };
  readonly file?: UnitFile;
  /** Due work of the same profile that it waits for, because it reads the results. */
  readonly after?: readonly ServiceWork[];
  /** True for work that covers the whole login. @default false */
  readonly isShared?: boolean;
  /** Reads its file again for each run, so edits take effect without a restart. */
  readonly run: DoWork;
}

/** A settings file of a unit. */
export interface UnitFile {
  /** Path, if the service file names none. */
  readonly name: string;
  readonly what: string;
  /** Key by which a file is recognized. */
  readonly key: string;
  /** Code that reads it. */
  readonly library: string;
  /** Returns the text of a new file. */
  readonly starter?: () => string | Promise<string>;
  /** Advice after a new file is written: a sentence, and the verb and options of a command. */
  readonly next?: readonly [text: string, verb: string, ...options: string[]];
  /** @throws {ConfigurationError} listing every problem as `file:line: message`. */
  readonly read: (text: string, source: string) => Promise<UnitContents>;
}

export interface UnitContents {
  readonly holds: string;
  readonly channels: readonly WatchChannel[];
}
