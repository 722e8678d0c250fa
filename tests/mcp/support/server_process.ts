import { programEnvironment } from "../../support/program_environment.ts";
import type { World } from "./world.ts";

const ROOT = new URL("../../../", import.meta.url);

/** What a client needs to start the real server as a process. */
export interface ServerCommand {
  /** Program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: string[];
  /** Its environment, whole. */
  readonly env: Record<string, string>;
}

/** The real `mcp.ts` as a process that works on the emulator of a world. */
export async function serverCommand(
  world: World,
  options: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<ServerCommand> {
  const { platform, credentials } = world.emulator;
  const settings = `${world.folder}/platform.json`;
  await Deno.writeTextFile(settings, JSON.stringify({ platform }));
  return {
    command: Deno.execPath(),
    args: ["run", "-A", "-q", new URL("mcp.ts", ROOT).href, ...options.args ?? []],
    env: {
      ...await programEnvironment(),
      NO_COLOR: "1",
      HOME: world.folder,
      PLATFORM_ADS_PLATFORM_FILE: settings,
      PLATFORM_ADS_CLIENT_ID: credentials.clientId,
      PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
      PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
      PLATFORM_ADS_MCP_PLAN_DIR: world.planFolder,
      ...options.env,
    },
  };
}
