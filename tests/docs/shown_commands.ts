import type { CodeBlock } from "../support/markdown.ts";

/** A line that a page shows as typed, and what the page shows after it. */
export interface ShownCommand {
  /** What is typed, without the prompt. */
  readonly command: string;
  /** What the page shows as its output; empty where it shows none. */
  readonly output: string;
  /** Its line on the page. */
  readonly line: number;
  /** What it ends with: 3 where the shown output tells of failed items, or as `(exit 4)` at its end says; else 0. */
  readonly exitCode: number;
}

/** The lines with a prompt in the blocks of a page that show a terminal. */
export function shownCommands(blocks: readonly CodeBlock[]): ShownCommand[] {
  return blocks.filter(({ info }) => info === "text" || info === "sh").flatMap(({ text, line: fence }) => {
    const lines = text.trimEnd().split("\n");
    const starts = lines.flatMap((line, at) => line.startsWith("$ ") ? [at] : []);
    return starts.map((start, at) => {
      let end = start;
      while (lines[end]!.endsWith("\\")) end++;
      const command = lines.slice(start, end + 1).join("\n").slice("$ ".length);
      const output = lines.slice(end + 1, starts[at + 1] ?? lines.length).map((line) => `${line}\n`).join("");
      return { command, output, line: fence + 1 + start, exitCode: exitCodeShown(output) };
    });
  });
}

function exitCodeShown(output: string): number {
  const told = /^\(exit (\d+)\)$/m.exec(output);
  if (told !== null) return Number(told[1]);
  return /\b[1-9]\d* failed\b/.test(output) ? 3 : 0;
}
