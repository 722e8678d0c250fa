import { nearest } from "../../base/text/nearest.ts";
import { KIND_NAMES } from "../../platform/catalog/kind_noun.ts";
import { kindOf } from "../../platform/catalog/kind_names.ts";
import { UsageError } from "./shell/errors/cli_error.ts";
import { COMMANDS } from "./command_index.ts";
import { newNameOf, OLD_NAMES } from "./shell/arguments/renamed_commands.ts";
import { LEADING_OPTIONS } from "./shell/command_line.ts";

/** The error for a command that does not exist, with the nearest one that does. */
export function unknownCommand(name: string, args: readonly string[]): UsageError {
  const rest = args.slice(args.indexOf(name) + 1);
  if (kindOf(name, KIND_NAMES) !== undefined) {
    return new UsageError(
      `Cannot find a command "${name}". Did you mean "${["list", name, ...rest].join(" ")}"?`,
    );
  }
  const names = COMMANDS.map((entry) => entry.name);
  const found = nearest(name, [...names, ...OLD_NAMES]);
  const near = found === undefined ? undefined : newNameOf(found) ?? found;
  const advice = near === undefined ? `Expected one of ${names.join(", ")}` : `Did you mean "${near}"?`;
  return new UsageError(`Cannot find a command "${name}". ${advice}`);
}

/**
 * The error for an option before the command that is not a global one: the nearest that is, or that it belongs after
 * the command (`adsctl -m US list`).
 */
export function unknownOption(option: string, args: readonly string[]): UsageError {
  const near = option.startsWith("--") ? nearest(option, LEADING_OPTIONS) : undefined;
  if (near !== undefined) return new UsageError(`Cannot find an option "${option}". Did you mean "${near}"?`);
  const value = args[args.indexOf(option) + 1];
  const isCommand = COMMANDS.some(({ name }) => name === value);
  const shown = value === undefined || isCommand ? option : `${option} ${value}`;
  return new UsageError(
    `Cannot use "${option}" before the command. Options of a command stand after it: adsctl <command> ${shown}`,
  );
}
