import * as z from "zod";
import { ConfigurationError } from "../../errors.ts";
import { nearest } from "../../internal/nearest.ts";
import { leanSchema } from "../definition/lean_schema.ts";
import { callerOf } from "../identity/carried_identity.ts";
import { toolChallenge } from "../identity/tool_scopes.ts";
import type { ToolSettings } from "../mcp_context.ts";
import { failureText } from "../failure_text.ts";
import type { CallAnswer } from "../calls/pending_calls.ts";
import type { CallParts, Tool } from "../tool.ts";
import { jsonSchemaOf, toolDefinition } from "../definition/tool_definition.ts";

const NAME = "call_tool";
const DESCRIPTION = "Calls one of the tools that search_tools finds. None of them changes the account.";
const INPUT = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const OUTPUT = z.looseObject({ rows: z.array(z.unknown()).optional() });

/** Calls a tool that is not listed; the answer is that tool's own. */
export function callTool(rest: readonly Tool[], { readOnly }: Pick<ToolSettings, "readOnly">): Tool {
  const call = async (args: unknown, parts: CallParts): Promise<CallAnswer> => {
    const { tool: name, arguments: given } = INPUT.parse(args);
    const found = rest.find((one) => one.name === name);
    if (found !== undefined) return await found.call(given, parts);
    const near = nearest(name, rest.map((one) => one.name));
    const hint = near === undefined ? "search_tools lists them" : `Did you mean "${near}"?`;
    const error = new ConfigurationError(
      `Cannot call "${name}": it is not a tool that search_tools finds. ${hint}`,
    );
    return { content: [{ type: "text", text: failureText(error) }], isError: true };
  };
  const config = {
    title: "Call a tool",
    description: DESCRIPTION,
    inputSchema: leanSchema(INPUT),
    outputSchema: leanSchema(OUTPUT),
    annotations: { readOnlyHint: readOnly, ...(readOnly ? {} : { destructiveHint: false }) },
  };
  return {
    name: NAME,
    description: DESCRIPTION,
    inputSchema: () => jsonSchemaOf(config.inputSchema, "input"),
    definition: () => toolDefinition(NAME, config),
    call,
    register: (server, context, identity) => {
      const handler = (args: unknown, mcp: CallParts["mcp"]): Promise<CallAnswer> =>
        call(args, { context, server, mcp, identity: callerOf(mcp, identity) });
      server.registerTool(NAME, { ...config, scopeChallenge: toolChallenge(NAME) }, handler as never);
    },
  };
}
