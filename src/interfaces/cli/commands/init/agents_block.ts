import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";

/** Writes the instructions for agents without secrets, which stay in the dotenv file that `env` points to. */
export function agentsBlock(env: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ mcpServers: { "platform-ads": { ...serverCommand(), env } } }, null, 2)}\n`;
}

function serverCommand(): { readonly command: string; readonly args?: readonly string[] } {
  const [runtime = "", script = ""] = process.argv;
  if (basename(script) !== "cli.ts" || !("Deno" in globalThis)) return { command: "platform-ads-mcp" };
  return { command: runtime, args: ["run", "-A", "-q", resolve(join(dirname(script), "mcp.ts"))] };
}
