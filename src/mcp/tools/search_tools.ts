import * as z from "zod";
import { mayUse } from "../identity/tool_scopes.ts";
import { type Tool, tool } from "../tool.ts";

/** Finds the tools that are not listed. */
export function searchTools(rest: readonly Tool[]): Tool {
  return tool({
    name: "search_tools",
    title: "Search tools",
    description:
      "Further tools of this server, with their arguments: suggested bids, notes on the platform, any of 1,100 operations " +
      "of its API (reading ones and, as plans, writing ones), stored reports. Without text: their names.",
    input: z.strictObject({ text: z.string().optional() }),
    output: z.object({ tools: z.array(z.record(z.string(), z.unknown())) }),
    hints: { readOnlyHint: true, openWorldHint: false },
    run({ text = "" }, { identity }) {
      const usable = rest.filter(({ name }) => mayUse(identity, name));
      const words = text.toLowerCase().split(/[\s_]+/).filter((word) => word !== "");
      const hits = usable.map((one) => {
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
      const tools = hits.filter(({ count }) => count === best.count).slice(0, 3).map(({ one }) => ({
        name: one.name,
        description: one.description,
        arguments: one.inputSchema()["properties"] ?? {},
        required: one.inputSchema()["required"] ?? [],
      }));
      const lines = tools.map(({ name }) => `Call ${name} by call_tool`);
      return Promise.resolve({ data: { tools }, text: lines.join("\n") });
    },
  });
}
