import type { GlobalOptions } from "../arguments/global_options.ts";
import type { Interruption } from "./interruption.ts";
import type { Progress } from "../terminal/progress.ts";
import type { RowFile } from "../terminal/row_printer.ts";
import type { Closing } from "./closing.ts";
import type { CliIo } from "../io/cli_io.ts";

/** Services that a command gets besides its own options. */
export interface CliContext {
  /** Its world. */
  readonly io: CliIo;
  /** The options that every command has. */
  readonly globals: GlobalOptions;
  /** Place that the command's own `--store` names: every figure of this command comes from there. */
  readonly store?: string | undefined;
  /** Path that the command's own `--out` names. */
  readonly out?: string | undefined;
  /** The file that takes the rows in place of standard output. */
  readonly file?: RowFile | undefined;
  /** True where the command's own `--why` asks for all notes. */
  readonly why?: boolean | undefined;
  /** True where the command's own `--touch-experiments` lets its plan change what experiments hold back. */
  readonly touchExperiments?: boolean | undefined;
  /** Shows how far the command is. */
  readonly progress: Progress;
  /** Closes what the command opened, once it has ended. */
  readonly closing: Closing;
  /** Ctrl-C. */
  readonly interruption: Interruption;
  /** Runs another command line of adsctl in a world of its own, and gives its exit code. */
  readonly runLine: (args: readonly string[], io: CliIo) => Promise<number>;
}
