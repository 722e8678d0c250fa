import { ConfigurationError } from "../../errors.ts";

/**
 * Parses an on/off environment variable: empty, `0` and `false` are off; `1` and `true` are on.
 *
 * @throws {ConfigurationError} for any other value.
 */
export function environmentSwitch(value: string | undefined, name: string): boolean {
  if (!value || value === "0" || value === "false") return false;
  if (value === "1" || value === "true") return true;
  throw new ConfigurationError(`Cannot use ${name} "${value}": expected 1 or 0`);
}
