import { nearest } from "../../base/text/nearest.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { KIND_NAMES, kindOf, kindWord, spellKind } from "../../platform/catalog/kind_names.ts";
import { COMMANDS } from "./command_index.ts";
import { HELP_TOPICS } from "./help_topics.ts";
import { EXIT, UsageError } from "./shell/io/cli_error.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { wrapped } from "./shell/io/text_width.ts";

const WIDTH = 100;
const LABEL = 18;

async function kindHelp(kind: string): Promise<string> {
  const { findKind, KINDS } = await import("../../client/entities/kinds/kinds.ts");
  const spec: ResourceSpec = findKind(kind, KINDS);
  const name = spellKind(kind);
  const states = spec.settableStates.map((state) => state.toLowerCase());
  const rows: readonly (readonly [string, string])[] = [
    ["Also written", `${kind} (plan files, the library), ${kindWord(kind)} (SQL)`],
    ["Id", spec.idField],
    ["A table shows", spec.columns.join(", ")],
    ["A new one needs", spec.required.join(", ")],
    ["A change takes", spec.updatable.join(", ")],
    ["States to set", states.join(", ")],
    ...Object.entries(spec.advice ?? {}).map(([field, advice]) => [`Not ${field}`, advice] as const),
  ];
  const lines = rows.filter(([, text]) => text !== "").flatMap(([label, text]) => {
    const indent = " ".repeat(LABEL + 2);
    const [first = "", ...more] = wrapped(text, WIDTH, indent);
    return [`  ${label.padEnd(LABEL)}${first.trimStart()}`, ...more];
  });
  const commands = [
    `adsctl list ${name} -m US`,
    ...spec.updatable.length > 0 ? [`adsctl plan update ${name} changes.csv -m US`] : [],
    ...spec.required.length > 0 ? [`adsctl plan create ${name} new.csv -m US`] : [],
  ];
  return `${name}: ${spec.plural}\n\n${lines.join("\n")}\n\nCommands:\n${
    commands.map((line) => `  ${line}`).join("\n")
  }\n`;
}

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
    return await kindHelp(kind);
  }
  const { describedCommand } = await import("./program.ts");
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
