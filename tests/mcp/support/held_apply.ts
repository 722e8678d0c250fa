import type { World } from "./world.ts";
import { serverCommand } from "./server_process.ts";

/** A server process that is in the middle of `apply_plan`. */
export interface HeldApply {
  /** The process; nothing reads what it prints. */
  readonly child: Deno.ChildProcess;
  /** The request that changes keywords, which has arrived at the platform and waits there. */
  readonly held: ReturnType<World["holdNext"]>;
  /** Its standard input. */
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
}

/** The lines in which a client sends messages over stdio. */
export function lines(...messages: object[]): string[] {
  return messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
}

/** The first message of a client. */
export const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

/** Starts a server, calls `apply_plan` with a plan of keywords, and returns when its request has arrived. */
export async function heldApply(
  world: World,
  plan: object,
  options: { args?: readonly string[] } = {},
): Promise<HeldApply> {
  const { command, args, env } = await serverCommand(world, options);
  const child = new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const held = world.holdNext("PUT", "/sp/keywords");
  const writer = child.stdin.getWriter();
  const call = { id: 2, method: "tools/call", params: { name: "apply_plan", arguments: plan } };
  const input = lines(INITIALIZE, { method: "notifications/initialized" }, call).join("");
  await writer.write(new TextEncoder().encode(input));
  await held.arrived;
  return { child, held, writer };
}
