import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { COMMANDS } from "./command_index.ts";
import { describedCommand } from "./described_command.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { newNameOf, renamedLine } from "./shell/renamed_commands.ts";
import { HELP_TOPICS } from "./help_topics.ts";
import { type Candidate, valuesOf } from "./completion_values.ts";

/** The last word is incomplete and may be empty. */
export async function complete(words: readonly string[], io: CliIo): Promise<Candidate[]> {
  const typed = words.at(-1) ?? "";
  const typedBefore = words.slice(0, -1);
  const at = typedBefore.findIndex((word) => newNameOf(word) !== undefined || isCommand(word));
  const before = at === -1 ? typedBefore : renamedLine(typedBefore, at)?.args ?? typedBefore;
  return (await candidatesFor(before, typed, io)).filter(({ word }) => word.startsWith(typed));
}

function isCommand(word: string): boolean {
  return COMMANDS.some(({ name }) => name === word);
}

async function candidatesFor(before: readonly string[], typed: string, io: CliIo): Promise<Candidate[]> {
  const name = before.find(isCommand);
  if (before[0] === "help") {
    if (before.length === 1) return [...COMMANDS, ...HELP_TOPICS].map(named);
    return (await commandAt(before.slice(1), io))?.command.commands.map(fromCommand) ?? [];
  }
  if (name === undefined) {
    const first = [...COMMANDS.map(named), { word: "help", about: "Show the help of a command or a topic" }];
    return typed.startsWith("-") ? [...GLOBAL] : first;
  }
  const found = await commandAt(before.slice(before.indexOf(name)), io);
  if (found === undefined) return [];
  const { command, rest } = found;
  const { option, args } = readWords(command, rest);
  if (option !== undefined) return await optionValues(option, { command, args, typed, io, words: before });
  const assigned = /^(--[\w-]+)=(.*)$/s.exec(typed);
  if (assigned !== null) {
    const [, long, value] = assigned;
    const of = command.options.find((one) => one.long === long && one.required);
    if (of === undefined) return [];
    const values = await optionValues(of, { command, args, typed: value!, io, words: before });
    return values.map(({ word, about }) => ({ word: `${long}=${word}`, about }));
  }
  if (typed.startsWith("-")) {
    return command.options.filter(({ hidden }) => !hidden).map(({ long, description }) => ({
      word: long ?? "",
      about: description,
    }));
  }
  if (args.length === 0 && command.commands.length > 0) {
    const first = await argumentValues(command, { args, typed, io, words: before });
    return [...command.commands.map(fromCommand), ...first];
  }
  return await argumentValues(command, { args, typed, io, words: before });
}

const GLOBAL: readonly Candidate[] = [
  { word: "--demo", about: "use the embedded demo account" },
  { word: "--help", about: "show the help" },
  { word: "--version", about: "print the version" },
];

interface Place {
  readonly args: readonly string[];
  readonly typed: string;
  readonly io: CliIo;
  readonly words: readonly string[];
}

async function commandAt(
  words: readonly string[],
  io: CliIo,
): Promise<{ command: CommandUnknownOpts; rest: readonly string[] } | undefined> {
  const entry = COMMANDS.find(({ name }) => name === words[0]);
  if (entry === undefined) return undefined;
  let command = await describedCommand(entry, io);
  let rest = words.slice(1);
  for (const [at, word] of words.slice(1).entries()) {
    const child = command.commands.find((one) => one.name() === word);
    if (child === undefined) continue;
    command = child;
    rest = words.slice(at + 2);
  }
  return { command, rest };
}

function readWords(
  command: CommandUnknownOpts,
  words: readonly string[],
): { args: readonly string[]; option: Option | undefined } {
  const args: string[] = [];
  let option: Option | undefined;
  for (const word of words) {
    if (option !== undefined) option = undefined;
    else if (!word.startsWith("-")) args.push(word);
    else option = command.options.find((one) => one.required && (one.long === word || one.short === word));
  }
  return { args, option };
}

function optionValues(option: Option, place: Place & { command: CommandUnknownOpts }): Promise<Candidate[]> {
  const { command, ...rest } = place;
  return valuesOf(option.long ?? "", { ...rest, command, choices: option.argChoices });
}

async function argumentValues(command: CommandUnknownOpts, place: Place): Promise<Candidate[]> {
  const all = command.registeredArguments;
  const argument = all[place.args.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (argument === undefined) return [];
  return await valuesOf(`<${argument.name()}>`, { ...place, command, choices: argument.argChoices });
}

function named({ name, summary }: { name: string; summary: string }): Candidate {
  return { word: name, about: summary };
}

function fromCommand(command: CommandUnknownOpts): Candidate {
  return { word: command.name(), about: command.summary() };
}
