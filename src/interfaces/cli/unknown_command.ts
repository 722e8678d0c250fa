import { nearest } from "../../base/text/nearest.ts";
import { KIND_NAMES, kindOf } from "../../platform/catalog/kind_names.ts";
import { UsageError } from "./shell/io/cli_error.ts";
import { COMMANDS } from "./command_index.ts";
import { newNameOf, OLD_NAMES } from "./shell/renamed_commands.ts";
import { LEADING_OPTIONS } from "./shell/command_line.ts";

const SUGGESTED = 3;

export async function unknownCommand(name: string, args: readonly string[]): Promise<UsageError> {
  const rest = args.slice(args.indexOf(name) + 1);
  if (kindOf(name, KIND_NAMES) !== undefined) {
    return new UsageError(
      `Cannot find a command "${name}". Did you mean "${["list", name, ...rest].join(" ")}"?`,
    );
  }
  const near = await nearCommands(name);
  const advice = near.length === 0
    ? `Expected one of ${COMMANDS.map((entry) => entry.name).join(", ")}`
    : `Did you mean ${near.slice(0, SUGGESTED).map((path) => `"${path}"`).join(" or ")}?`;
  return new UsageError(`Cannot find a command "${name}". ${advice}`);
}

async function nearCommands(name: string): Promise<readonly string[]> {
  const { commandTree } = await import("./command_tree.ts");
  const below = Map.groupBy(
    (await commandTree()).map(({ path }) => path).filter((path) => path.includes(" ")),
    (path) => path.slice(path.lastIndexOf(" ") + 1),
  );
  const exact = below.get(name.toLowerCase());
  if (exact !== undefined) return exact;
  const found = nearest(name, [...COMMANDS.map((entry) => entry.name), ...OLD_NAMES]);
  if (found !== undefined) return [newNameOf(found) ?? found];
  return below.get(nearest(name, below.keys()) ?? "") ?? [];
}

export function unknownOption(option: string, args: readonly string[]): UsageError {
  const near = option.startsWith("--") ? nearest(option, LEADING_OPTIONS) : undefined;
  if (near !== undefined) return new UsageError(`Cannot find an option "${option}". Did you mean "${near}"?`);
  const value = args[args.indexOf(option) + 1];
  const isCommand = COMMANDS.some(({ name }) => name === value);
  const shown = value === undefined || isCommand ? option : `${option} ${value}`;
  return new UsageError(
    `Cannot use "${option}" before the command. Put a command's options after it: adsctl <command> ${shown}`,
  );
}
