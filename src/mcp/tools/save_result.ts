import * as z from "zod";
import { ConfigurationError } from "../../errors.ts";
import { saveRows } from "../results/save_rows.ts";
import { type Tool, tool } from "../tool.ts";

/** Writes a result into the folder that the person allowed. */
export const saveResult: Tool = tool({
  name: "save_result",
  title: "Save a result",
  description:
    "Writes every row of a result_uri into a new file of the folder that the person allowed; never replaces a file.",
  input: z.strictObject({
    result_uri: z.string(),
    file: z.string().describe("Name ending in .json or .jsonl"),
  }),
  output: z.object({ saved_to: z.string(), rows: z.int() }),
  hints: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  async run({ result_uri: uri, file }, { context }) {
    const kept = context.results.at(uri);
    if (kept === undefined) {
      throw new ConfigurationError(
        `Cannot find the result "${uri}": it is not kept any more. Make the call again and use its result_uri`,
      );
    }
    const value: unknown = JSON.parse(context.secrets.removeFromText(kept.json));
    const rows: unknown[] = Array.isArray(value) ? value : [value];
    const { settings } = context;
    const path = await saveRows(rows, { folder: settings.saveFolder, file, kept: settings });
    return { data: { saved_to: path, rows: rows.length }, text: `${rows.length} rows saved to ${path}` };
  },
});
