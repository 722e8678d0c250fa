import { McpServer } from "@modelcontextprotocol/server";
import { instructions } from "./instructions.ts";
import { callerOf } from "./identity/carried_identity.ts";
import { type Identity, LOCAL } from "./identity/identity.ts";
import { mayUse } from "./identity/tool_scopes.ts";
import type { McpContext } from "./mcp_context.ts";
import { correctOutgoing } from "./outgoing_messages.ts";
import { registerPrompts } from "./prompts/register_prompts.ts";
import { registerResources } from "./resources.ts";
import { registerSubscriptions } from "./subscriptions.ts";
import { toolList } from "./tool_list.ts";
import { registerTasks } from "./tasks/register_tasks.ts";
import { VERSION } from "./version.ts";

const MAX_QUESTION = 15 * 60 * 1000;
const MAX_ELEMENTS = 50_000;

/**
 * Makes the server of one connection; what connections share is in the context.
 *
 * @param identity Whom it serves; requests that carry an identity of their own go by that.
 */
export function buildServer(context: McpContext, identity: Identity = LOCAL): McpServer {
  const server = new McpServer(
    { name: "platform-ads-mcp", title: "Platform Ads", version: VERSION },
    {
      instructions: instructions(context.settings, identity),
      requestState: { verify: context.asked.verify },
      inputRequired: { roundTimeoutMs: MAX_QUESTION },
      maxToolInputElements: MAX_ELEMENTS,
    },
  );
  const tools = toolList(context);
  for (const tool of tools) tool.register(server, context, identity);
  server.server.setRequestHandler("tools/list", (_, mcp) => {
    const caller = callerOf(mcp, identity);
    return { tools: tools.filter(({ name }) => mayUse(caller, name)).map((tool) => tool.definition()) };
  });
  registerResources(server, context, identity);
  registerPrompts(server, context);
  registerTasks(server, context, identity);
  registerSubscriptions(server, context, identity);
  // The lists of a server stay as they are, but for plans and results, which are found by their tools.
  const fixed = { listChanged: false };
  server.server.registerCapabilities({ tools: fixed, resources: fixed, prompts: fixed });
  server.server.registerCapabilities({ logging: {} });
  correctOutgoing(server);
  return server;
}
