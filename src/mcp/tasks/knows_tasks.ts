import type { ServerContext } from "@modelcontextprotocol/server";

/** Name of the protocol's extension for tasks. */
export const TASKS = "io.modelcontextprotocol/tasks";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** True for a request whose client says that it knows tasks. */
export function knowsTasks({ mcpReq }: Pick<ServerContext, "mcpReq">): boolean {
  const declared: unknown = Reflect.get(mcpReq.envelope ?? {}, CAPABILITIES);
  if (typeof declared !== "object" || declared === null || !("extensions" in declared)) return false;
  const { extensions } = declared;
  return typeof extensions === "object" && extensions !== null && TASKS in extensions;
}
