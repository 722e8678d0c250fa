/** A run of characters of one style. */
export interface StyledText {
  /** The characters. */
  readonly text: string;
  /** Names of the styles that hold, such as `bold`. */
  readonly styles: readonly Style[];
}

/** A style that `adsctl` uses. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "shaded";

const OPENS: Readonly<Record<string, Style>> = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow" };
const CLOSES: Readonly<Record<string, readonly Style[]>> = {
  0: ["bold", "dim", "red", "green", "yellow", "shaded"],
  22: ["bold", "dim"],
  39: ["red", "green", "yellow"],
};

/**
 * Takes terminal output apart into lines of styled text, broken where a terminal of so many columns breaks them.
 *
 * @throws for a control sequence that is not a known style.
 */
export function styledLines(output: string, columns: number): StyledText[][] {
  let styles: readonly Style[] = [];
  const lines: StyledText[][] = [];
  for (const line of output.replace(/\n$/, "").split("\n")) {
    let current: StyledText[] = [];
    let room = columns;
    lines.push(current);
    // deno-lint-ignore no-control-regex -- the terminal's own sequences are what is read here
    for (const [, code, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+|\x1b)/g)) {
      if (code !== undefined) {
        styles = restyled(styles, code || "0");
        continue;
      }
      let rest = text!;
      if (rest === "\x1b") throw new Error("Cannot draw a control sequence that is not a style");
      while (rest.length > room) {
        current.push({ text: rest.slice(0, room), styles });
        rest = rest.slice(room);
        lines.push(current = []);
        room = columns;
      }
      if (rest !== "") current.push({ text: rest, styles });
      room -= rest.length;
    }
  }
  return lines;
}

function restyled(styles: readonly Style[], code: string): readonly Style[] {
  // A cell of a grid: dark text on one of 256 colours.
  const opened = code.startsWith("48;5;") ? "shaded" : OPENS[code];
  if (opened !== undefined) return [...styles, opened];
  const closed = CLOSES[code];
  if (closed === undefined) throw new Error(`Cannot draw the style ${code}`);
  return styles.filter((style) => !closed.includes(style));
}
