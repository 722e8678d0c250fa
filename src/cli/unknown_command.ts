import { UsageError } from "./cli_error.ts";
import { COMMANDS } from "./command_index.ts";
import { nearest } from "./nearest.ts";

/** The error for a command that does not exist, with the nearest one that does. */
export function unknownCommand(name: string): UsageError {
  const names = COMMANDS.map((entry) => entry.name);
  const near = nearest(name, names);
  const advice = near === undefined ? `There is ${names.join(", ")}` : `Did you mean "${near}"?`;
  return new UsageError(`Cannot find a command "${name}". ${advice}`);
}
