import type { GlobalOptions } from "../arguments/global_options.ts";
import type { CliIo, TextSink } from "../io/cli_io.ts";

export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
  /** Magenta: unknown. */
  magenta(text: string): string;
  /** Red: refused, lost, removed. */
  red(text: string): string;
  /** Green: done, added. */
  green(text: string): string;
  /** Yellow: waiting, changed. */
  yellow(text: string): string;
}

export function stylesFor(
  sink: TextSink,
  { io, globals }: { io: CliIo; globals: Pick<GlobalOptions, "color"> },
): Styles {
  const on = sink.isTerminal && globals.color && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
  const style = (open: number, close: number) => (text: string): string =>
    on && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    magenta: style(35, 39),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}
