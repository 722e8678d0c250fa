import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { MARKETPLACES } from "../../../markets.ts";
import { COMMANDS } from "../../core/command_index.ts";
import { describedCommand } from "../../core/described_command.ts";
import { KIND_NAMES } from "../../../catalog/kind_noun.ts";
import { spellKind } from "../../../resources/kind_names.ts";
import { HELP_TOPICS } from "../help_topics.ts";
import type { CliIo } from "../../core/io/cli_io.ts";
import { LISTED_STATES } from "../../entities/listed_states.ts";

/** Something that the word before the cursor may become. */
export interface Candidate {
  /** The whole word. */
  readonly word: string;
  /** What it is. */
  readonly about: string;
}

const STATES = LISTED_STATES.map((state) => state.toLowerCase());

/**
 * What the last of the words may become.
 *
 * @param words The words after the program's name; the last one is being typed and may be empty.
 */
export async function complete(words: readonly string[], io: CliIo): Promise<Candidate[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  return (await candidates(before, typed, io)).filter(({ word }) => word.startsWith(typed));
}

async function candidates(before: readonly string[], typed: string, io: CliIo): Promise<Candidate[]> {
  const name = before.find((word) => COMMANDS.some((entry) => entry.name === word));
  if (before[0] === "help") {
    if (before.length === 1) return [...COMMANDS, ...HELP_TOPICS].map(named);
    return (await commandAt(before.slice(1), io))?.commands.map(fromCommand) ?? [];
  }
  if (name === undefined) {
    const first = [...COMMANDS.map(named), { word: "help", about: "Show the help of a command or a topic" }];
    return typed.startsWith("-") ? [...GLOBAL] : first;
  }
  const rest = before.slice(before.indexOf(name));
  const command = (await commandAt(rest, io))!;
  const option = optionBefore(command, before.at(-1));
  if (option !== undefined) return optionValues(option, typed);
  if (typed.startsWith("-")) {
    return command.options.filter(({ hidden }) => !hidden).map(({ long, description }) => ({
      word: long!,
      about: description,
    }));
  }
  if (command.commands.length > 0) return command.commands.map(fromCommand);
  return argumentValues(command, rest);
}

const GLOBAL: readonly Candidate[] = [
  { word: "--demo", about: "use the embedded demo account" },
  { word: "--help", about: "show the help" },
  { word: "--version", about: "print the version" },
];

/** The command that the words lead to, as deep as they do. */
async function commandAt(words: readonly string[], io: CliIo): Promise<CommandUnknownOpts | undefined> {
  const entry = COMMANDS.find(({ name }) => name === words[0]);
  if (entry === undefined) return undefined;
  let command = await describedCommand(entry, io);
  for (const word of words.slice(1)) {
    command = command.commands.find((child) => child.name() === word) ?? command;
  }
  return command;
}

/** The option whose value is being typed. */
function optionBefore(command: CommandUnknownOpts, word: string | undefined): Option | undefined {
  return command.options.find((option) => option.required && (option.long === word || option.short === word));
}

function optionValues(option: Option, typed: string): Candidate[] {
  if (option.argChoices !== undefined) return option.argChoices.map((word) => ({ word, about: "" }));
  if (option.long === "--market") return MARKETPLACES.map((word) => ({ word, about: "marketplace" }));
  if (option.long === "--state" && /state/.test(option.flags) && option.flags.includes("states")) {
    const done = typed.slice(0, typed.lastIndexOf(",") + 1);
    return STATES.map((state) => ({ word: done + state, about: "" }));
  }
  return [];
}

function argumentValues(command: CommandUnknownOpts, rest: readonly string[]): Candidate[] {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  const isFirst = rest.at(-1) === command.name();
  if (!isFirst) return [];
  if (argument.argChoices !== undefined) return argument.argChoices.map((word) => ({ word, about: "" }));
  if (argument.name() === "entity") {
    return KIND_NAMES.map((name) => ({ word: spellKind(name, "command"), about: "" }));
  }
  return [];
}

function named({ name, summary }: { name: string; summary: string }): Candidate {
  return { word: name, about: summary };
}

function fromCommand(command: CommandUnknownOpts): Candidate {
  return { word: command.name(), about: command.summary() };
}
