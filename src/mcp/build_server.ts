import { McpServer } from "@modelcontextprotocol/server";
import { instructions } from "./instructions.ts";
import { type Identity, LOCAL } from "./identity/identity.ts";
import type { McpContext } from "./mcp_context.ts";
import { registerPrompts } from "./prompts/register_prompts.ts";
import { registerResources } from "./resources.ts";
import { registerSubscriptions } from "./subscriptions.ts";
import { toolList } from "./tool_list.ts";
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
      instructions: instructions(context.settings),
      requestState: { verify: context.asked.verify },
      inputRequired: { roundTimeoutMs: MAX_QUESTION },
      maxToolInputElements: MAX_ELEMENTS,
    },
  );
  for (const tool of toolList(context)) tool.register(server, context, identity);
  registerResources(server, context);
  registerPrompts(server, context);
  registerSubscriptions(server, context);
  // The lists of a server stay as they are, but for plans and results, which are found by their tools.
  const fixed = { listChanged: false };
  server.server.registerCapabilities({ tools: fixed, resources: fixed, prompts: fixed });
  server.server.registerCapabilities({ logging: {} });
  return server;
}
