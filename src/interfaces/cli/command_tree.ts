import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { COMMANDS } from "./command_index.ts";
import { type CommandDoc, docOf } from "./shell/command.ts";
import { describedCommand } from "./program.ts";

export interface CommandNode {
  readonly path: string;
  readonly command: CommandUnknownOpts;
  readonly doc: CommandDoc | undefined;
}

const NOWHERE = { isTerminal: false, columns: 100, write: (): Promise<void> => Promise.resolve() };

export async function commandTree(): Promise<CommandNode[]> {
  const io = {
    stdout: NOWHERE,
    stderr: NOWHERE,
    stdin: {
      isTerminal: false,
      text: () => Promise.resolve(""),
      pieces: () => new ReadableStream(),
      line: () => Promise.resolve(undefined),
    },
    env: {},
    now: Date.now,
    onInterrupt: () => () => {},
  };
  const nodes: CommandNode[] = [];
  const walk = (command: CommandUnknownOpts, parents: readonly string[]): void => {
    const path = [...parents, command.name()];
    nodes.push({ path: path.join(" "), command, doc: docOf(command) });
    for (const child of command.commands) walk(child, path);
  };
  for (const entry of COMMANDS) walk(await describedCommand(entry, io), []);
  return nodes;
}

export function helpPage(command: CommandUnknownOpts): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

export async function helpPages(): Promise<Record<string, string>> {
  const nodes = await commandTree();
  return Object.fromEntries(nodes.map(({ path, command }) => [path, helpPage(command)]));
}
