import { KIND_NAMES, kindOf } from "../../platform/catalog/kind_names.ts";
import { EXIT, UsageError } from "./shell/io/cli_error.ts";
import { COMMANDS } from "./command_index.ts";
import { HELP_TOPICS } from "./help_topics.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { nearest } from "../../base/text/nearest.ts";

export async function showHelp(words: readonly string[], io: CliIo): Promise<number> {
  const topic = HELP_TOPICS.find(({ name }) => name === words[0]);
  await io.stdout.write(topic === undefined ? await commandHelp(words, io) : await topic.load());
  return EXIT.done;
}

async function commandHelp(words: readonly string[], io: CliIo): Promise<string> {
  const [name, ...rest] = words;
  const entry = COMMANDS.find((command) => command.name === name);
  const names = [...COMMANDS, ...HELP_TOPICS].map((known) => known.name);
  if (entry === undefined) {
    const kind = kindOf(name ?? "", KIND_NAMES);
    if (kind === undefined) throw unknownHelp(name ?? "", names);
    const { kindHelp } = await import("./kind_help.ts");
    return await kindHelp(kind);
  }
  const { describedCommand } = await import("./described_command.ts");
  const { helpPage } = await import("./command_tree.ts");
  let command = await describedCommand(entry, io);
  for (const word of rest) {
    const child = command.commands.find((known) => known.name() === word);
    if (child === undefined) {
      const known = command.commands.map((child) => child.name());
      if (known.length > 0) throw unknownHelp(word, known);
      throw new UsageError(`Cannot find help for "${word}": "${command.name()}" has no subcommands`);
    }
    command = child;
  }
  return helpPage(command);
}

function unknownHelp(name: string, names: readonly string[]): UsageError {
  const near = nearest(name, names);
  const advice = near === undefined ? `Expected one of ${names.join(", ")}` : `Did you mean "${near}"?`;
  return new UsageError(`Cannot find help for "${name}". ${advice}`);
}
