import { ok } from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** What an agent saw. */
export interface McpSession {
  /** Names of the tools. */
  readonly tools: readonly string[];
  /** How many profiles `list_profiles` gave. */
  readonly profiles: number;
}

/**
 * Starts a tool server as an agent's host does, lists its tools, asks for the profiles, and ends it.
 *
 * @param command The server's program and its arguments.
 */
export async function mcpSession(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<McpSession> {
  const client = new Client({ name: "proof", version: "1" });
  const [program, ...args] = command;
  await client.connect(
    new StdioClientTransport({ command: program!, args, cwd, env, stderr: "inherit" }),
  );
  try {
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: "list_profiles", arguments: {} });
    ok(answer.isError !== true, JSON.stringify(answer));
    const { total } = answer.structuredContent as { total: number };
    return { tools: tools.map(({ name }) => name), profiles: total };
  } finally {
    await client.close();
  }
}
