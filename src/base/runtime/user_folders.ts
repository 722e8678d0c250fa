import { ConfigurationError } from "../../errors.ts";
import { fileSystem } from "./file_system.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Purpose of a folder, for the message where there is none. */
interface FolderPurpose {
  /** Its content, as `the plans`. */
  readonly of: string;
  /** Option that names another place. */
  readonly option?: string;
}

/**
 * The folder for what must be remembered between runs: `$XDG_STATE_HOME/platform-ads`, else
 * `~/.local/state/platform-ads`, on Windows `%LOCALAPPDATA%\platform-ads`. It may not exist yet.
 *
 * @throws {ConfigurationError} when the environment names no home.
 */
export function stateFolder(
  env: Variables,
  purpose: FolderPurpose = { of: "what is kept between runs" },
): string {
  const base = env["XDG_STATE_HOME"] ?? env["LOCALAPPDATA"];
  return below(env, { base, inHome: [".local", "state"], variable: "XDG_STATE_HOME", purpose });
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
