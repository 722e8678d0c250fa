import { isObject } from "../../../../base/json/fields_of.ts";
import { parseJson } from "../../../../base/json/json.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { configFolder } from "../../../../base/runtime/user_folders.ts";
import { UsageError } from "../io/cli_error.ts";
import { type Format, FORMATS } from "./global_options.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings saved by `adsctl use`. Each one is the fallback of an environment variable. */
export interface SavedSettings {
  readonly market?: string;
  readonly demo?: boolean;
  readonly store?: string;
  readonly format?: Format;
  readonly policy?: string;
  readonly wire?: string;
}

export const SETTING_VARIABLES: Readonly<Record<keyof SavedSettings, string>> = {
  market: "PLATFORM_ADS_MARKET",
  demo: "PLATFORM_ADS_DEMO",
  store: "PLATFORM_ADS_STORE",
  format: "PLATFORM_ADS_FORMAT",
  policy: "PLATFORM_ADS_POLICY",
  wire: "PLATFORM_ADS_WIRE",
};

export function settingsFile(env: Variables): string {
  return fileSystem().join(configFolder(env), "adsctl.json");
}

/**
 * Reads the saved settings; empty without a file or a home folder.
 *
 * @throws {UsageError} when the file is damaged.
 */
export async function readSavedSettings(env: Variables): Promise<SavedSettings> {
  let path: string;
  let text: string;
  try {
    path = settingsFile(env);
    text = await fileSystem().readText(path);
  } catch {
    return {};
  }
  try {
    return checked(parseJson(text));
  } catch (cause) {
    throw new UsageError(
      `Cannot read the saved settings in "${path}": ${
        String(cause instanceof Error ? cause.message : cause)
      }. ` +
        "Correct the file, or remove it",
      { cause },
    );
  }
}

/** Writes the saved settings to a file that only the owner can read. */
export async function writeSavedSettings(settings: SavedSettings, env: Variables): Promise<void> {
  await fileSystem().writeText(settingsFile(env), JSON.stringify(settings, null, 2) + "\n", { mode: 0o600 });
}

export function withSavedSettings(env: Variables, saved: SavedSettings): Variables {
  const defaults: Record<string, string> = {};
  const { demo, ...texts } = saved;
  for (const [name, value] of Object.entries({ ...texts, demo: demo ? "1" : undefined })) {
    const variable = SETTING_VARIABLES[name as keyof SavedSettings];
    if (value !== undefined && !env[variable]) defaults[variable] = value;
  }
  return { ...env, ...defaults };
}

/** For another command, which applies the saved settings itself. */
export function withoutSavedSettings(env: Variables, saved: SavedSettings): Variables {
  const { demo, ...texts } = saved;
  const own = Object.entries({ ...texts, demo: demo ? "1" : undefined }).flatMap(([name, value]) => {
    const variable = SETTING_VARIABLES[name as keyof SavedSettings];
    return value !== undefined && env[variable] === value ? [[variable, undefined]] : [];
  });
  return { ...env, ...Object.fromEntries(own) };
}

function checked(value: unknown): SavedSettings {
  if (!isObject(value)) {
    throw new Error("it is not an object");
  }
  const names = Object.keys(SETTING_VARIABLES);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const said = unknown.map((name) => {
      const near = nearest(name, names);
      return `"${name}" is not a setting${near === undefined ? "" : `. Did you mean "${near}"?`}`;
    });
    throw new Error(said.join("; "));
  }
  const { market, demo, store, format, policy, wire } = value as Record<string, unknown>;
  for (const [name, text] of Object.entries({ market, store, policy, wire })) {
    if (text !== undefined && typeof text !== "string") throw new Error(`"${name}" is not a text`);
  }
  if (demo !== undefined && typeof demo !== "boolean") throw new Error('"demo" is not true or false');
  if (format !== undefined && !FORMATS.some((name) => name === format)) {
    throw new Error(`"format" is not one of ${FORMATS.join(", ")}`);
  }
  return value as SavedSettings;
}
