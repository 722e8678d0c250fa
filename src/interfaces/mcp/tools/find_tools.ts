import * as z from "zod";
import { mayUse, toolChallenge } from "../access/tool_scopes.ts";
import { recordedChallenge } from "../tooling/recorded_call.ts";
import {
  admitCall,
  type CallParts,
  checkedArguments,
  refusedCall,
  type Tool,
  tool,
} from "../tooling/tool.ts";
import { ConfigurationError } from "../../../errors.ts";
import { callText } from "../calls/argument_problems.ts";
import { nearest } from "../../../base/text/nearest.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { jsonSchemaOf, leanSchema, toolDefinition, uncheckedSchema } from "../tooling/tool_definition.ts";
import { callerOf } from "../access/identity.ts";
import type { ToolSettings } from "../context/mcp_context.ts";
import type { CallAnswer } from "../calls/pending_calls.ts";

export function searchTools(rest: readonly Tool[], listed: readonly Tool[] = []): Tool {
  return tool({
    name: "search_tools",
    title: "Search tools",
    description:
      "Further tools: plans of budgets and from history, products out of stock, suggested bids, report fields, platform notes, 1,100 operations of " +
      "the API (writes as plans), stored reports, alerts, schedules. Without text: names.",
    input: z.strictObject({ text: z.string().optional() }),
    output: z.object({ tools: z.array(z.record(z.string(), z.unknown())) }),
    effect: "read",
    isLocal: true,
    run({ text = "" }, { identity }) {
      const usable = rest.filter((one) => mayUse(identity, one));
      const known = listed.filter((one) => mayUse(identity, one));
      const words = text.toLowerCase().split(/[\s_]+/).filter((word) => word !== "");
      const hits = [...usable, ...known].map((one) => {
        const about = `${one.name.replaceAll("_", " ")} ${one.description}`.toLowerCase();
        return { one, count: words.filter((word) => about.includes(word)).length };
      }).filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
      const [best] = hits;
      if (best === undefined) {
        const names = usable.map(({ name, description }) => ({
          name,
          description: description.split(/[.:;] /)[0] ?? "",
        }));
        const lines = names.map(({ name, description }) => `${name}: ${description}`);
        const lead = words.length === 0 ? "Further tools" : `No further tool is about "${text}". There are`;
        return Promise.resolve({ data: { tools: names }, text: [lead, ...lines].join("\n") });
      }
      const found = hits.filter(({ count }) => count === best.count).map(({ one }) => one);
      const named = known.filter((one) => found.includes(one)).slice(0, 3);
      const shown = usable.filter((one) => found.includes(one)).slice(0, 3);
      const tools = [
        ...named.map(({ name, description }) => ({ name, description, listed: true })),
        ...shown.map((one) => ({
          name: one.name,
          description: one.description,
          arguments: one.inputSchema()["properties"] ?? {},
          required: one.inputSchema()["required"] ?? [],
        })),
      ];
      const lines = [
        ...named.map(({ name }) => `Call ${name} by its own name: it is listed`),
        ...shown.map((one) => `Call by call_tool: ${one.callText()}\n  ${one.description}`),
      ];
      return Promise.resolve({ data: { tools }, text: lines.join("\n") });
    },
  });
}

const NAME = "call_tool";
const SELF = { name: NAME, effect: "read" } as const;

export function unlistedTool(name: string, listed: readonly string[], hidden: readonly string[]): string {
  const shown = visibleText(name);
  if (hidden.includes(name)) {
    return `Cannot call ${shown} directly: it is not listed. Call ${NAME}({"tool": "${shown}", "arguments": {…}})`;
  }
  if (/approv|accept_risk|sign/i.test(name)) {
    return `Cannot call "${shown}": there is no such tool, because only a person approves a plan: in the form that ` +
      'apply_plan opens, in the console, or with "adsctl plan approve ID" in a terminal, as the plan\'s answer says';
  }
  const near = nearest(name, [...listed, ...hidden]);
  const next = near === undefined
    ? "The list of tools and search_tools have all there are"
    : `Did you mean "${near}"?`;
  return `Cannot call "${shown}": there is no such tool. ${next}`;
}

const DESCRIPTION = "Calls a tool that search_tools finds; none changes the account.";
const INPUT = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).meta({ properties: { market: { type: "string" } } }).default(
    {},
  ),
});
const OUTPUT = z.looseObject({ rows: z.array(z.unknown()).optional() });

export function callTool(
  { listed, rest }: { readonly listed: readonly Tool[]; readonly rest: readonly Tool[] },
  { readOnly }: Pick<ToolSettings, "readOnly">,
): Tool {
  const call = async (args: unknown, parts: CallParts): Promise<CallAnswer> => {
    try {
      const { tool: name, arguments: given } = checkedArguments(args, INPUT, NAME);
      const found = rest.find((one) => one.name === name);
      if (found !== undefined) return await found.call(given, parts);
      if (listed.some((one) => one.name === name)) {
        throw new ConfigurationError(
          `Cannot call "${name}" by ${NAME}: it is listed. Call it by its own name`,
        );
      }
      const near = nearest(name, rest.map((one) => one.name));
      const hint = near === undefined ? "search_tools lists them" : `Did you mean "${near}"?`;
      throw new ConfigurationError(
        `Cannot call "${name}": it is not a tool that search_tools finds. ${hint}`,
      );
    } catch (error) {
      // The tool that is called counts itself.
      return await refusedCall(countedRefusal(error, args, parts), { name: NAME, args }, parts);
    }
  };
  const config = {
    title: "Call a tool",
    description: DESCRIPTION,
    inputSchema: leanSchema(INPUT),
    outputSchema: leanSchema(OUTPUT),
    annotations: { readOnlyHint: readOnly, ...(readOnly ? {} : { destructiveHint: false }) },
  };
  return {
    ...SELF,
    isListed: true,
    description: DESCRIPTION,
    callText: () => callText(NAME, {}, INPUT),
    inputSchema: () => jsonSchemaOf(config.inputSchema, "input"),
    definition: () => toolDefinition(NAME, config),
    call,
    register: (server, context, identity) => {
      const handler = (args: unknown, mcp: CallParts["mcp"]): Promise<CallAnswer> =>
        call(args, { context, server, mcp, identity: callerOf(mcp, identity) });
      server.registerTool(NAME, {
        ...config,
        inputSchema: uncheckedSchema(config.inputSchema),
        scopeChallenge: recordedChallenge(toolChallenge(SELF, rest), NAME, context),
      }, handler as never);
    },
  };
}

/** Counts the rejected call against the limits. */
function countedRefusal(error: unknown, args: unknown, parts: CallParts): unknown {
  try {
    admitCall(args, parts, SELF);
    return error;
  } catch (refusal) {
    return refusal;
  }
}
