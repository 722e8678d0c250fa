import { UsageError } from "../cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";

/**
 * The folder where adsctl keeps what outlives a command: the demo account and when it last warned.
 *
 * @throws {UsageError} when no variable says where a user's files belong.
 */
export function stateFolder({ env }: Pick<CliIo, "env">): string {
  const base = env["XDG_STATE_HOME"] ?? env["LOCALAPPDATA"];
  if (base) return `${base}/platform-ads`;
  if (env["HOME"]) return `${env["HOME"]}/.local/state/platform-ads`;
  throw new UsageError("Cannot find a folder for state: neither XDG_STATE_HOME nor HOME is set");
}
