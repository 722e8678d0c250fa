import { textWidth } from "./text_width.ts";

// deno-lint-ignore no-control-regex
const CONTROL = /\x1b\[[\d;]*[A-Za-z]/g;
/** Commands must stay copyable, so they are never wrapped. */
const COMMAND = /^\s*(?:\$ )?adsctl /;

/**
 * Continuation lines are indented. Commands and unterminated lines, such as progress, are not wrapped.
 *
 * @param columns Width of the terminal; `undefined` if there is none.
 */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const all = text.split("\n");
  return all.flatMap((line, at) => {
    if (widthOf(line) <= columns || COMMAND.test(line) || at === all.length - 1) return [line];
    const indent = " ".repeat(
      Math.min(/^ */.exec(line.replaceAll(CONTROL, ""))![0].length + 2, columns >> 1),
    );
    const lines: string[] = [];
    for (const word of line.split(" ")) {
      const last = lines.at(-1);
      if (last === undefined) lines.push(word);
      else if (widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
      else if (word !== "") lines.push(indent + word);
    }
    return lines.map((one) => one.trimEnd());
  }).join("\n");
}

function widthOf(text: string): number {
  return textWidth(text.replaceAll(CONTROL, ""));
}
