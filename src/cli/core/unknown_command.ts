import { UsageError } from "./cli_error.ts";
import { COMMANDS } from "./command_index.ts";
import { nearest } from "../../internal/nearest.ts";

/**
 * The error for a command that does not exist: the nearest one that does, or that it follows an option which belongs
 * after the command (`adsctl -m US list`).
 */
export function unknownCommand(name: string, args: readonly string[]): UsageError {
  const before = args[args.indexOf(name) - 1];
  if (before?.startsWith("-") && COMMANDS.some((entry) => args.includes(entry.name))) {
    return new UsageError(
      `Cannot use "${before}" before the command. Options of a command stand after it: ` +
        `adsctl <command> ${before} ${name}`,
    );
  }
  const names = COMMANDS.map((entry) => entry.name);
  const near = nearest(name, names);
  const advice = near === undefined ? `There is ${names.join(", ")}` : `Did you mean "${near}"?`;
  return new UsageError(`Cannot find a command "${name}". ${advice}`);
}
