import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { commandTree } from "./command_tree.ts";

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
