import { type CommandUnknownOpts, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Field, type Fields, inputFrom, type InputOf } from "../../../../operations/model/field.ts";
import type { SheetFile } from "../../../../account/tables/open_tables.ts";
import type { Spelling } from "../../../../operations/model/operation.ts";
import {
  effect,
  positiveInteger,
  rate,
  repeated,
  separated,
  separatedIds,
  share,
  wholeNumber,
  wordsOfMap,
} from "./parse_values.ts";
import { shellWord } from "../context/shell_words.ts";
import { money } from "./money_options.ts";

type OptionValues = object;

const VALUES: Readonly<Record<Field["type"], string>> = {
  text: "text",
  step: "change",
  choice: "name",
  whole: "n",
  amount: "amount",
  share: "share",
  rate: "number",
  ids: "ids",
  positions: "positions",
  words: "names",
  names: "name",
  parameters: "value",
  codes: "codes",
  moment: "moment",
  day: "day",
  span: "time",
  choices: "names",
  switch: "",
  table: "file",
  document: "file",
  files: "folder",
  sheet: "file",
  sheets: "files",
  map: "word=meaning",
  pairs: "name=value",
  report: "report",
  reporting: "which",
  part: "",
  json: "json",
  entity: "entity",
  items: "file",
};

const UNITS: Partial<Readonly<Record<Field["type"], string>>> = {
  amount: " in the currency of the market, or USD=2.50,CAD=3",
  share: ": 30% or 0.3",
  names: "; repeatable",
  parameters: "; repeatable",
  pairs: "; repeatable",
  json: ": JSON, @file, or - for standard input",
  table: "; - for standard input",
};

/** A list field becomes a repeatable singular option: `campaign_ids` is `--campaign-id`. */
function flagOf(name: string, field: Field | undefined): string {
  if (field?.option !== undefined) return `--${field.option}`;
  const one = field !== undefined && isList(field) ? name.replace(/ies$/, "y").replace(/s$/, "") : name;
  const no = field !== undefined && isOn(field) ? "no-" : "";
  return `--${no}${one.replaceAll("_", "-")}`;
}

function isOn(field: Field): boolean {
  return field.type === "switch" && field.default === true;
}

function fieldOption(name: string, field: Field): Option {
  const value = field.type === "switch" || isFlag(field) ? "" : ` <${field.value ?? VALUES[field.type]}>`;
  const short = field.short === undefined ? "" : `-${field.short}, `;
  const option: Option = new Option(`${short}${flagOf(name, field)}${value}`, helpOf(field));
  switch (field.type) {
    case "choice":
      if (field.flag !== undefined) return option.preset(field.flag);
      return option.choices([...field.choices, ...field.inCommands ?? []]);
    case "choices":
      return option.argParser((text, before: readonly string[] | undefined) =>
        separated(text, before).map((word) => chosen(word, field.choices))
      );
    case "whole":
      return option.argParser((text) =>
        atMost(field.min === 0 ? wholeNumber(text) : positiveInteger(text), field.max)
      );
    case "amount":
      return option.argParser((text) => orWord(text, field.or, money));
    case "share":
      return option.argParser((text) => field.isSigned ? effect(text) : orWord(text, field.or, share));
    case "rate":
      return option.argParser(rate);
    case "ids":
      return option.argParser(separatedIds);
    case "positions":
      return option.argParser((text, before: readonly number[] | undefined) => [
        ...before ?? [],
        ...separated(text, undefined).map(wholeNumber),
      ]);
    case "words":
    case "codes":
      return option.argParser(separated);
    case "names":
    case "parameters":
      return option.argParser(repeated);
    case "map":
      return option.argParser(wordsOfMap);
    case "pairs":
      return option.argParser((text, before: Pairs | undefined) => withPair(before, text, field.values));
    case "part":
      return option.preset("only");
    case "reporting": {
      const words = ["old", "new", ...field.orCompare ? ["compare"] : []];
      return option.choices(words).argParser((text) => reportingOf(text, words));
    }
    default:
      return option;
  }
}

function notFlag(name: string, field: Field): string {
  return flagOf(name, field).replace("--", "--no-");
}

function isFlag(field: Field): boolean {
  return field.type === "part" || field.type === "choice" && field.flag !== undefined;
}

const REPORTING: Readonly<Record<string, 3 | 1 | "compare">> = {
  old: 3,
  new: 1,
  compare: "compare",
  3: 3,
  1: 1,
};

function reportingOf(text: string, words: readonly string[]): 3 | 1 | "compare" {
  const choice = words.includes(text) || /^[31]$/.test(text) ? REPORTING[text] : undefined;
  if (choice === undefined) throw new InvalidArgumentError(`Allowed choices are ${words.join(", ")}.`);
  return choice;
}

function helpOf(field: Field): string {
  const fixed = "default" in field && !isOn(field) ? field.default : undefined;
  const otherwise = fixed === undefined
    ? field.otherwise
    : field.type === "share" && typeof fixed === "number"
    ? `${fixed * 100}%`
    : String(fixed);
  const word = "or" in field && field.or !== undefined ? `, or ${field.or}` : "";
  const unit = field.type === "share" && field.isSigned ? ": 10% or -5%" : UNITS[field.type] ?? "";
  return field.help + unit + word +
    (otherwise === undefined ? "" : ` (default: ${otherwise})`);
}

type Pairs = Readonly<Record<string, string | readonly string[]>>;

function withPair(
  before: Pairs = {},
  text: string,
  values: Extract<Field, { readonly type: "pairs" }>["values"],
): Pairs {
  const at = text.indexOf("=");
  const name = text.slice(0, at).trim();
  const form = values === "words" ? "FIELD=VALUE,VALUE" : "name=value";
  if (at === -1) throw new InvalidArgumentError(`Write ${form}.`);
  if (name === "") throw new InvalidArgumentError("There is no name before the =.");
  const known = Object.hasOwn(before, name) ? before[name] : undefined;
  if (values === "words") {
    const words = text.slice(at + 1).split(",").map((word) => word.trim()).filter((word) => word !== "");
    if (words.length === 0) throw new InvalidArgumentError(`Write ${form}.`);
    return { ...before, [name]: [known ?? [], words].flat(2) };
  }
  if (known !== undefined && values !== "any") throw new InvalidArgumentError(`Give ${name} once.`);
  const value = text.slice(at + 1);
  return { ...before, [name]: known === undefined ? value : [...[known].flat(), value] };
}

function chosen(word: string, choices: readonly string[]): string {
  if (choices.includes(word)) return word;
  throw new InvalidArgumentError(`"${word}" is not one of ${choices.join(", ")}.`);
}

function atMost(value: number, max: number | undefined): number {
  if (max !== undefined && value > max) throw new InvalidArgumentError(`It is above ${max}.`);
  return value;
}

function orWord<T>(text: string, word: string | undefined, read: (text: string) => T): T | string {
  if (word === undefined) return read(text);
  if (text.trim().toLowerCase() === word) return word;
  try {
    return read(text);
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidArgumentError(`${message.replace(/\.$/, "")}, or ${word}.`);
  }
}

export function addFields(command: CommandUnknownOpts, fields: Fields): CommandUnknownOpts {
  for (const [name, field] of Object.entries(fields)) {
    const fixed = field.type === "document" ? field.file : undefined;
    if (fixed !== undefined) command.argument(`[${argumentOf(name, field)}]`, field.help, fixed);
    else if (field.required === true) command.argument(`<${argumentOf(name, field)}>`, field.help);
    else if (isArgument(field)) command.argument(`[${argumentOf(name, field)}]`, helpOf(field));
    else command.addOption(fieldOption(name, field));
    if (field.type === "part" && field.orNot !== undefined) command.option(notFlag(name, field), field.orNot);
  }
  return command;
}

function isArgument(field: Field): boolean {
  return field.required === true || field.isArgument === true;
}

function argumentOf(name: string, field: Field): string {
  if (isList(field)) return `${field.value ?? name}...`;
  if (field.isArgument && field.value === undefined) return name;
  return field.value ?? VALUES[field.type];
}

function isList({ type }: Field): boolean {
  return ["ids", "positions", "words", "names", "parameters", "codes", "sheets"].includes(type);
}

export function fieldValues(fields: Fields, options: OptionValues): Record<string, unknown> {
  const values = new Map(Object.entries(options));
  return Object.fromEntries(
    Object.entries(fields).map((
      [name, field],
    ) => [name, values.get(fieldOption(name, field).attributeName())]),
  );
}

export function fieldInput<Of extends Fields>(fields: Of, options: OptionValues): InputOf<Of> {
  return inputFrom(fields, fieldValues(fields, options));
}

export function commandSpelling(fields: Fields): Spelling {
  return {
    field: (name) => {
      const field = fields[name];
      return field !== undefined && isArgument(field) ? `<${argumentOf(name, field)}>` : flagOf(name, field);
    },
  };
}

export function commandLine(
  name: string,
  { fields, input, withMarket = true }: {
    readonly fields: Fields;
    readonly input: Readonly<Record<string, unknown>>;
    readonly withMarket?: boolean;
  },
): string {
  const given = Object.entries(fields).flatMap(([one, field]) => {
    const value = input[one];
    if (value === undefined) return [];
    if (field.type === "document") return field.file === undefined ? [`${one}.yaml`] : [];
    if (field.type === "files") return ["./account"];
    if (field.type === "sheet" || field.type === "sheets") {
      return [value].flat().map((one) => (one as SheetFile).name);
    }
    const isShown = ["text", "report"].includes(field.type) || isList(field);
    if (!isShown || !isArgument(field)) return [];
    return field.value?.endsWith("...") ? String(value).split(" ") : [value].flat().map(String);
  });
  const words = [...given, ...(withMarket ? ["-m", "CA"] : []), ...fieldWords(fields, input)];
  return ["adsctl", ...name.split(" "), ...words.map(quoted)].join(" ");
}

export function fieldWords(fields: Fields, input: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name];
    if (value === undefined || field.type === "table" || isArgument(field)) return [];
    const flag = flagOf(name, field);
    if (isOn(field)) return value === false ? [flag] : [];
    if (field.type === "part" && value === false) return [notFlag(name, field)];
    if (field.type === "part") return value === "only" ? [flag] : [];
    if (isFlag(field)) return "flag" in field && value === field.flag ? [flag] : [];
    if (field.type === "reporting") return [flag, value === 1 ? "new" : value === 3 ? "old" : String(value)];
    if (field.type === "json") return [flag, JSON.stringify(value)];
    if (field.type === "pairs" || field.type === "map") {
      return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, one]) =>
        [one].flat().flatMap((each) => [flag, `${key}=${each}`])
      );
    }
    if (Array.isArray(value)) return value.flatMap((one) => [flag, valueText(one, field)]);
    return value === true ? [flag] : [flag, valueText(value, field)];
  });
}

function valueText(value: unknown, field: Field): string {
  if (field.type === "codes") return String(value).toLowerCase().replaceAll("_", "-");
  if (typeof value !== "number") return String(value);
  return field.type === "share"
    ? `${value * 100}%`
    : field.type === "amount"
    ? value.toFixed(2)
    : String(value);
}

function quoted(word: string): string {
  return word.includes("'") && !/["$`\\]/.test(word) ? `"${word}"` : shellWord(word);
}
