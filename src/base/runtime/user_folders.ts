import { ConfigurationError } from "../../errors.ts";
import { fileSystem } from "./file_system.ts";

type Variables = Readonly<Record<string, string | undefined>>;

interface FolderPurpose {
  readonly of: string;
  readonly option?: string;
}

/**
 * Returns the folder for state, which may not exist: `$XDG_STATE_HOME/platform-ads`, otherwise
 * `~/.local/state/platform-ads`; on Windows `%LOCALAPPDATA%\platform-ads`.
 *
 * @throws {ConfigurationError} when no home folder is known.
 */
export function stateFolder(
  env: Variables,
  purpose: FolderPurpose = { of: "what is kept between runs" },
): string {
  const base = env["XDG_STATE_HOME"] ?? env["LOCALAPPDATA"];
  return below(env, { base, inHome: [".local", "state"], variable: "XDG_STATE_HOME", purpose });
}

export function hasStateFolder(env: Variables): boolean {
  return Boolean(env["XDG_STATE_HOME"] || env["LOCALAPPDATA"] || env["HOME"] || env["USERPROFILE"]);
}

/**
 * Returns the folder for configuration, which may not exist: `$XDG_CONFIG_HOME/platform-ads`, otherwise
 * `~/.config/platform-ads`; on Windows `%APPDATA%\platform-ads`.
 *
 * @throws {ConfigurationError} when no home folder is known.
 */
export function configFolder(env: Variables, purpose: FolderPurpose = { of: "your settings" }): string {
  const base = env["XDG_CONFIG_HOME"] ?? env["APPDATA"];
  return below(env, { base, inHome: [".config"], variable: "XDG_CONFIG_HOME", purpose });
}

function below(
  env: Variables,
  { base, inHome, variable, purpose: { of, option } }: {
    readonly base: string | undefined;
    readonly inHome: readonly string[];
    readonly variable: string;
    readonly purpose: FolderPurpose;
  },
): string {
  const files = fileSystem();
  if (base) return files.join(base, "platform-ads");
  const home = env["HOME"] || env["USERPROFILE"];
  if (!home) {
    const ways = [
      ...(option === undefined ? [] : [`name its place with ${option}`]),
      `set HOME or ${variable}`,
    ];
    const way = ways.join(", or ");
    throw new ConfigurationError(
      `Cannot find the folder of ${of}: neither HOME nor ${variable} is set. ${way[0]?.toUpperCase()}${
        way.slice(1)
      }`,
    );
  }
  return files.join(home, ...inHome, "platform-ads");
}
