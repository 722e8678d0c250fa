import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { callerOf } from "../identity/carried_identity.ts";
import type { Identity } from "../identity/identity.ts";
import type { McpContext } from "../mcp_context.ts";
import { knowsTasks, TASKS } from "./knows_tasks.ts";

const BY_ID = z.looseObject({ taskId: z.string() });

/** Lets clients that know the extension ask about the tasks that their calls became, and end them. */
export function registerTasks(server: McpServer, context: McpContext, identity: Identity): void {
  const { server: protocol } = server;
  const unknown = (id: string): never => {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Cannot find task "${id}": it is not one of yours`,
    );
  };
  const ownerOf = (mcp: ServerContext): string => {
    if (!knowsTasks(mcp)) {
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS]: {} } },
      });
    }
    return callerOf(mcp, identity).key;
  };
  protocol.registerCapabilities({ extensions: { [TASKS]: {} } });
  protocol.setRequestHandler("tasks/get", { params: BY_ID }, ({ taskId }, mcp) => {
    const owner = ownerOf(mcp);
    return context.tasks.get(taskId, owner) ?? unknown(taskId);
  });
  protocol.setRequestHandler("tasks/cancel", { params: BY_ID }, ({ taskId }, mcp) => {
    const owner = ownerOf(mcp);
    return context.tasks.cancel(taskId, owner) ? {} : unknown(taskId);
  });
  // No task waits for an answer of a person: the question comes before the work.
  protocol.setRequestHandler("tasks/update", { params: BY_ID }, ({ taskId }, mcp) => {
    const owner = ownerOf(mcp);
    return context.tasks.get(taskId, owner) === undefined ? unknown(taskId) : {};
  });
}
