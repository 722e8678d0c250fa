import { type CodeBlock, markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { leftOutReason, PAGES_LEFT_OUT, SUPPLIED_FILES } from "./commands_left_out.ts";

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

/** The commands of a page, in its order. */
export interface PageCommands {
  /** Path of the page, from the root of the repository. */
  readonly path: string;
  /** Commands to run one after the other in one folder and home. */
  readonly commands: readonly ShownCommand[];
  /** Commands that no test can run, each with the reason. */
  readonly leftOut: readonly (ShownCommand & { readonly reason: string })[];
  /** Files that the page shows as blocks, by name. They are written before the first command. */
  readonly files: Readonly<Record<string, string>>;
}

/** Programs that a block without prompts begins with if it shows commands. */
const PROGRAMS = /^(?:adsctl|platform-ads-mcp|npm|npx|deno|docker) /;

/** The commands of every page that a reader follows: all but generated pages and those of developers. */
export async function pagesWithCommands(root: URL): Promise<PageCommands[]> {
  const pages: PageCommands[] = [];
  for (const path of await markdownFiles()) {
    if (PAGES_LEFT_OUT.test(path)) continue;
    const { blocks } = new MarkdownPage(await Deno.readTextFile(new URL(path, root)));
    const all = shownCommands(blocks).map((shown) => ({
      ...shown,
      reason: leftOutReason(path, shown.command),
    }));
    if (all.length === 0) continue;
    const files = Object.entries(SUPPLIED_FILES[path] ?? {}).map(([name, holds]) => {
      const block = blocks.find(({ info, text }) => /^(?:yaml|json|csv)$/.test(info) && text.includes(holds));
      if (block === undefined) throw new Error(`${path} has no block that holds "${holds}"`);
      return [name, block.text];
    });
    pages.push({
      path,
      commands: all.filter(({ reason }) => reason === undefined),
      leftOut: all.flatMap(({ reason, ...shown }) => reason === undefined ? [] : [{ ...shown, reason }]),
      files: Object.fromEntries(files),
    });
  }
  return pages;
}

/** The lines of commands in the blocks of a page: those with a prompt, or all of a block that has none. */
export function shownCommands(blocks: readonly CodeBlock[]): ShownCommand[] {
  return blocks.filter(({ info }) => info === "text" || info === "sh" || info === "").flatMap((block) => {
    const lines = block.text.trimEnd().split("\n");
    const prompted = lines.some((line) => line.startsWith("$ "));
    if (!prompted && !showsCommands(block, lines[0]!)) return [];
    const isStart = (line: string, at: number): boolean =>
      prompted ? line.startsWith("$ ") : /^[^\s#]/.test(line) && !(lines[at - 1]?.endsWith("\\") ?? false);
    const starts = lines.flatMap((line, at) => isStart(line, at) ? [at] : []);
    return starts.map((start, at) => {
      let end = start;
      while (lines[end]!.endsWith("\\")) end++;
      const typed = lines.slice(start, end + 1).join("\n").replace(/^\$ /, "");
      const output = lines.slice(end + 1, starts[at + 1] ?? lines.length).map((line) => `${line}\n`).join("");
      return {
        command: typed.replace(/ +# .*$/, ""),
        output,
        line: block.line + 1 + start,
        exitCode: exitCodeShown(`${output}${/ # (.*)$/.exec(typed)?.[1] ?? ""}`),
      };
    });
  });
}

function showsCommands({ info }: CodeBlock, first: string): boolean {
  return info === "sh" ? !first.startsWith("#!") : PROGRAMS.test(first);
}

function exitCodeShown(output: string): number {
  const told = /^\(exit (\d+)\)$/m.exec(output) ?? /^exit code (\d+)\b/m.exec(output);
  if (told !== null) return Number(told[1]);
  return /\b[1-9]\d* failed\b/.test(output) ? 3 : 0;
}
