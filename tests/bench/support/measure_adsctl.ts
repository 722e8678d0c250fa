import { fileURLToPath } from "node:url";
import type { CommandFigures } from "./adsctl_process.ts";

const PROCESS = fileURLToPath(new URL("adsctl_process.ts", import.meta.url));

/**
 * Runs adsctl in a process of its own and gives what it took.
 *
 * @param place Address of the platform, and the folder for what adsctl keeps.
 */
export async function measureAdsctl(
  command: readonly string[],
  { url, folder }: { url: string; folder: string },
): Promise<CommandFigures> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", PROCESS, ...command],
    env: {
      PLATFORM_ADS_BASE_URL_NA: url,
      PLATFORM_ADS_TOKEN_URL: `${url}/token`,
      PLATFORM_ADS_CLIENT_ID: "id",
      PLATFORM_ADS_CLIENT_SECRET: "secret",
      PLATFORM_ADS_REFRESH_TOKEN: "token",
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
    },
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`adsctl ${command.join(" ")} ended with ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
