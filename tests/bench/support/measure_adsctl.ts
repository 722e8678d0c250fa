import { fileURLToPath } from "node:url";
import type { CommandFigures } from "./adsctl_process.ts";

const PROCESS = fileURLToPath(new URL("adsctl_process.ts", import.meta.url));

/** Settings of adsctl for a bare server at an address, and for the folder in which it keeps things. */
export function settingsFor(url: string, folder: string): Record<string, string> {
  return {
    PLATFORM_ADS_BASE_URL_NA: url,
    PLATFORM_ADS_TOKEN_URL: `${url}/token`,
    PLATFORM_ADS_CLIENT_ID: "id",
    PLATFORM_ADS_CLIENT_SECRET: "secret",
    PLATFORM_ADS_REFRESH_TOKEN: "token",
    XDG_STATE_HOME: folder,
    XDG_DATA_HOME: folder,
  };
}

/** Runs adsctl with these settings in a process of its own and gives what it took. */
export async function measureAdsctl(
  command: readonly string[],
  env: Record<string, string>,
): Promise<CommandFigures> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", PROCESS, ...command],
    env,
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`adsctl ${command.join(" ")} ended with ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
