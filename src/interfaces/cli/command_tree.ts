import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { COMMANDS } from "./command_index.ts";
import { type CommandDoc, docOf } from "./shell/command.ts";
import { describedCommand } from "./described_command.ts";

/** A command as the reference and the tests walk it. */
export interface CommandNode {
  /** Its full name, for example `plan update`. */
  readonly path: string;
  readonly command: CommandUnknownOpts;
  /** Its documentation. */
  readonly doc: CommandDoc | undefined;
}

const NOWHERE = { isTerminal: false, columns: 100, write: (): Promise<void> => Promise.resolve() };

/** Every command, groups before what they hold, in the order of the front page. */
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

/** The help of one command, as it is printed. */
export function helpPage(command: CommandUnknownOpts): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

/** The help of every command by its full name, for example `plan update`. */
export async function helpPages(): Promise<Record<string, string>> {
  const nodes = await commandTree();
  return Object.fromEntries(nodes.map(({ path, command }) => [path, helpPage(command)]));
}
