import type { GlobalOptions } from "../context/global_options.ts";
import type { CliIo, TextSink } from "../io/cli_io.ts";

type StateColour = "red" | "yellow" | "green" | "magenta";

export const STATE_COLOURS: Readonly<Record<StateColour, readonly string[]>> = {
  // Refused or failed: somebody has to act.
  red: [
    "refused",
    "rejected",
    "denied",
    "deny",
    "failed",
    "fails",
    "failure",
    "fail",
    "error",
    "fatal",
    "unusable",
    "unavailable",
    "missing",
    "lost",
    "late",
    "critical",
    "urgent",
    "dropped",
    "false",
    "no",
  ],
  // Waiting: something is still to come.
  yellow: [
    "open",
    "waiting",
    "waits",
    "pending",
    "unfinished",
    "partial",
    "partly",
    "asked",
    "asking",
    "building",
    "approve",
    "queued",
    "running",
    "processing",
    "in progress",
    "due",
    "planned",
    "left",
    "held",
    "draining",
    "warn",
    "warning",
    "snoozed",
    "new",
  ],
  // Done, as it should be.
  green: [
    "done",
    "applied",
    "ok",
    "succeeded",
    "success",
    "stored",
    "found",
    "complete",
    "completed",
    "delivered",
    "pass",
    "passed",
    "allow",
    "allowed",
    "working",
    "true",
    "yes",
    "as scheduled",
  ],
  // Unknown, which is neither.
  magenta: ["unknown", "not known", "unclear", "undecided", "inconclusive"],
};

const COLOUR_OF = new Map(
  (["red", "yellow", "green", "magenta"] as const).flatMap((colour) =>
    STATE_COLOURS[colour].map((word) => [word, colour] as const)
  ),
);

const STATES = /(?:^|_)(?:state|status|verdict|level|ok|result|outcome|severity|live|phase|mark)$/;

export function stateColour(text: string): StateColour | undefined {
  const [first = "", second = ""] = text.trim().toLowerCase().split(/[\s_:,]+/);
  return COLOUR_OF.get(`${first} ${second}`) ?? COLOUR_OF.get(first);
}

export function colouredCell(text: string, column: string, styles: Styles): string {
  return STATES.test(column) ? coloured(text, styles) : text;
}

export function coloured(text: string, styles: Styles): string {
  const colour = stateColour(text);
  return colour === undefined ? text : styles[colour](text);
}

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
