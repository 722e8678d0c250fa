import type { GlobalOptions } from "./global_options.ts";
import type { Interruption } from "./interruption.ts";
import type { Progress } from "./progress.ts";
import type { RowFile } from "./row_printer.ts";
import type { Closing } from "./closing.ts";
import type { CliIo } from "../io/cli_io.ts";

export interface CliContext {
  readonly io: CliIo;
  readonly globals: GlobalOptions;
  /** Source of all figures of this command, from its own `--store`. */
  readonly store?: string | undefined;
  readonly out?: string | undefined;
  readonly file?: RowFile | undefined;
  readonly why?: boolean | undefined;
  readonly touchExperiments?: boolean | undefined;
  readonly progress: Progress;
  readonly closing: Closing;
  readonly interruption: Interruption;
  readonly runLine: (args: readonly string[], io: CliIo) => Promise<number>;
}
