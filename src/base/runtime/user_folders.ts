import { ConfigurationError } from "../../errors.ts";
import { fileSystem } from "./file_system.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The folder for what must be remembered between runs: `$XDG_STATE_HOME/platform-ads`, else
 * `~/.local/state/platform-ads`, on Windows `%LOCALAPPDATA%\platform-ads`. It may not exist yet.
 *
 * @throws {ConfigurationError} when the environment names no home.
 */
export function stateFolder(env: Variables): string {
  return below(env, { base: env["XDG_STATE_HOME"] ?? env["LOCALAPPDATA"], inHome: [".local", "state"] });
}

/** True where {@linkcode stateFolder} finds a folder. */
export function hasStateFolder(env: Variables): boolean {
  return Boolean(env["XDG_STATE_HOME"] || env["LOCALAPPDATA"] || env["HOME"] || env["USERPROFILE"]);
}

/**
 * The folder for what a person sets up once: `$XDG_CONFIG_HOME/platform-ads`, else `~/.config/platform-ads`, on Windows
 * `%APPDATA%\platform-ads`. It may not exist yet.
 *
 * @throws {ConfigurationError} when the environment names no home.
 */
export function configFolder(env: Variables): string {
  return below(env, { base: env["XDG_CONFIG_HOME"] ?? env["APPDATA"], inHome: [".config"] });
}

function below(env: Variables, place: { base: string | undefined; inHome: readonly string[] }): string {
  const files = fileSystem();
  if (place.base) return files.join(place.base, "platform-ads");
  const home = env["HOME"] || env["USERPROFILE"];
  if (!home) {
    throw new ConfigurationError(
      "Cannot find a folder of your own: neither HOME nor USERPROFILE is set. Name the folder instead",
    );
  }
  return files.join(home, ...place.inHome, "platform-ads");
}
