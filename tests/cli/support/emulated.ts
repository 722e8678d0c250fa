import { Emulator, type EmulatorOptions } from "../../../src/emulator/mod.ts";

/** An emulator, the environment that leads adsctl to it, and a folder for files. */
export interface Emulated extends AsyncDisposable {
  /** The emulator. */
  readonly emulator: Emulator;
  /** Environment variables. */
  readonly env: Record<string, string>;
  /** A folder of its own. */
  readonly folder: string;
  /** Writes a file into the folder and gives its path. */
  write(name: string, text: string): Promise<string>;
}

/** Starts an emulator; `await using` stops it. */
export async function emulated(options: EmulatorOptions = {}): Promise<Emulated> {
  const emulator = await Emulator.start(options);
  const folder = await Deno.makeTempDir({ prefix: "adsctl-test-" });
  return {
    emulator,
    folder,
    env: settingsOf(emulator, folder),
    write: async (name, text) => {
      const path = `${folder}/${name}`;
      await Deno.writeTextFile(path, text);
      return path;
    },
    [Symbol.asyncDispose]: async () => {
      await emulator.stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Variables of the environment that lead adsctl to an emulator. */
export function settingsOf({ platform, credentials }: Emulator, folder: string): Record<string, string> {
  return {
    PLATFORM_ADS_BASE_URL_NA: platform.regions.NA!.baseUrl,
    PLATFORM_ADS_BASE_URL_EU: platform.regions.EU!.baseUrl,
    PLATFORM_ADS_BASE_URL_FE: platform.regions.FE!.baseUrl,
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_AUTHORIZE_URL: platform.authorizeUrl!,
    PLATFORM_ADS_SANDBOX_URL: platform.sandboxUrl!,
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
    XDG_STATE_HOME: `${folder}/state`,
    PLATFORM_ADS_STORE: `${folder}/default.sqlite`,
  };
}
