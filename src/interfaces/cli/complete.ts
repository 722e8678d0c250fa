import { MARKETPLACES } from "../../base/markets/markets.ts";
import { KINDS, RESOURCE_KINDS } from "../../client/entities/kinds/kinds.ts";
import { knownFields } from "../../client/entities/model/resource_spec.ts";
import { HISTORY_CHANGE_TYPES, HISTORY_ENTITY_TYPES } from "../../client/insights/history_event.ts";
import { namedReport } from "../../client/reports/requests/named_report.ts";
import { REPORT_PRESET_NAMES, spellReport } from "../../client/reports/requests/presets.ts";
import { reportTypes } from "../../client/reports/requests/report_types.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import { KIND_NAMES, kindOf, spellKind } from "../../platform/catalog/kind_names.ts";
import { COMMANDS } from "./command_index.ts";
import { HELP_TOPICS } from "./help_topics.ts";
import { describedCommand } from "./program.ts";
import { docOf } from "./shell/command.ts";
import { knownProfiles } from "./shell/context/known_profiles.ts";
import { SETTING_VARIABLES } from "./shell/context/saved_settings.ts";
import { LISTED_STATES } from "./shell/input/field_names.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { newNameOf, renamedLine } from "./shell/renamed_commands.ts";
import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

function candidates(words: Iterable<string>, about = ""): Candidate[] {
  return Array.from(words, (word) => ({ word, about }));
}

interface ValuePlace {
  readonly command: CommandUnknownOpts;
  readonly args: readonly string[];
  readonly typed: string;
  readonly words: readonly string[];
  readonly choices: readonly string[] | undefined;
  readonly io: CliIo;
}

type Source = (place: ValuePlace) => Candidate[] | Promise<Candidate[]>;

const SOURCES: Readonly<Record<string, Source>> = {
  "<entity>": () => candidates(KIND_NAMES.map(spellKind)),
  "<market>": markets,
  "--market": markets,
  "<report>": async () => candidates(await reportWords()),
  "--report": list(reportWords),
  "<type>": async () => candidates(await reportWords()),
  "--columns": list(({ args }) => reportColumnNames(args[0])),
  "--chart": async ({ args }) => candidates(await reportColumnNames(args[0])),
  "--fields": list(({ command, args }) => fieldsOf(command, args)),
  "--state": list(() => LISTED_STATES.map(lower)),
  "--entity-type": list(() => HISTORY_ENTITY_TYPES.map(lower)),
  "--change": list(() => HISTORY_CHANGE_TYPES.map(lower)),
  "--clear": list(() => Object.keys(SETTING_VARIABLES)),
  "--account-type": () => candidates(["seller", "vendor", "agency"]),
  "--api": async () => candidates((await catalog.apis()).keys()),
  "<id>": operationIds,
  "--path": (place) => parameterNames(place, "path"),
  "--query": (place) => parameterNames(place, "query"),
  "--header": (place) => parameterNames(place, "header"),
};

export async function valuesOf(name: string, place: ValuePlace): Promise<Candidate[]> {
  if (place.choices !== undefined) return candidates(place.choices);
  return await SOURCES[name]?.(place) ?? [];
}

/** Completes the last of several comma-separated values and never offers one twice. */
function list(values: (place: ValuePlace) => readonly string[] | Promise<readonly string[]>): Source {
  return async (place) => {
    const done = place.typed.slice(0, place.typed.lastIndexOf(",") + 1);
    const taken = done.split(",");
    return candidates(
      (await values(place)).filter((value) => !taken.includes(value)).map((value) => done + value),
    );
  };
}

/** Profiles from the last listing; every marketplace if there are none. */
async function markets({ io, words }: ValuePlace): Promise<Candidate[]> {
  const profiles = await knownProfiles(io.env, { demo: words.includes("--demo") });
  if (profiles.length === 0) return candidates(MARKETPLACES, "marketplace");
  const countries = new Map<string, string[]>();
  for (const { countryCode, name } of profiles) {
    countries.set(countryCode, [...countries.get(countryCode) ?? [], name]);
  }
  return [
    ...Array.from(countries, ([word, names]) => ({ word, about: names.join(", ") })),
    ...profiles.map(({ profileId, countryCode, name }) => ({
      word: profileId,
      about: `${countryCode} ${name}`,
    })),
  ];
}

function namesOperation(command: CommandUnknownOpts): boolean {
  return command.parent?.name() === "ops" || command.name() === "call";
}

async function operationIds({ command, typed }: ValuePlace): Promise<Candidate[]> {
  if (!namesOperation(command)) return [];
  const writesOnly = command.parent?.name() === "plan";
  const operations = (await catalog.operations()).filter(({ unsupportedReason, readOnly }) =>
    unsupportedReason === undefined && !(writesOnly && readOnly)
  );
  if (typed.includes(":")) return operations.map(({ id, summary }) => ({ word: id, about: summary }));
  const apis = Array.from(
    (await catalog.apis()).values(),
    ({ slug, title }) => ({ word: `${slug}:`, about: title }),
  );
  if (apis.some(({ word }) => word.startsWith(typed))) return apis;
  return operations.map(({ operationId, summary }) => ({ word: operationId, about: summary }));
}

async function parameterNames({ command, args, typed }: ValuePlace, place: string): Promise<Candidate[]> {
  const [id] = args;
  if (!namesOperation(command) || id === undefined) return [];
  const operation = await catalog.get(id).catch(() => undefined);
  const published = (await operation?.schema())?.parameters.filter((parameter) => parameter.in === place);
  const [name = "", value] = typed.split("=");
  const values = published?.find((parameter) => parameter.name === name)?.schema["enum"];
  if (value !== undefined) {
    return Array.isArray(values) ? candidates(values.map((one) => `${name}=${one}`)) : [];
  }
  if (published !== undefined) return candidates(published.map((parameter) => `${parameter.name}=`));
  if (operation === undefined) return [];
  const { query, headers, pathParams } = operation;
  const names = place === "path" ? pathParams : (place === "query" ? query : headers).map((one) => one.name);
  return candidates(names.map((one) => `${one}=`));
}

async function reportWords(): Promise<string[]> {
  return [...REPORT_PRESET_NAMES.map(spellReport), ...(await reportTypes()).keys()];
}

async function reportColumnNames(report: string | undefined): Promise<readonly string[]> {
  if (report === undefined) return [];
  const found = await namedReport(report).catch(() => undefined);
  return found === undefined ? [] : ["date", ...found.columns];
}

function fieldsOf(command: CommandUnknownOpts, args: readonly string[]): readonly string[] {
  if (command.name() === "list" && command.parent?.parent === null) return entityFields(args[0]);
  const fields = docOf(command)?.fields ?? [];
  return typeof fields === "function" ? fields(args) : fields;
}

function entityFields(entity: string | undefined): readonly string[] {
  const kind = kindOf(entity ?? "", RESOURCE_KINDS);
  return kind === undefined ? [] : knownFields(KINDS[kind]);
}

function lower(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}

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
