import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";

/**
 * Configuration that makes an agent's client start the tool server.
 *
 * @param env Variables of the server; secrets stay in the dotenv file that they name.
 */
export function agentsBlock(env: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ mcpServers: { "platform-ads": { ...serverCommand(), env } } }, null, 2)}\n`;
}

/** The installed command, or the server beside the `cli.ts` of a checkout that runs now. */
function serverCommand(): { readonly command: string; readonly args?: readonly string[] } {
  const [runtime = "", script = ""] = process.argv;
  if (basename(script) !== "cli.ts" || !("Deno" in globalThis)) return { command: "platform-ads-mcp" };
  return { command: runtime, args: ["run", "-A", "-q", resolve(join(dirname(script), "mcp.ts"))] };
}
