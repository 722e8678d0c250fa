import { recommendations } from "../../../../operations/reads/recommendations.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["recommendationType", "objects", "reasons", "adProduct", "state"];
const FIELDS = [
  ...COLUMNS,
  "recommendationId",
  "language",
  "createdDateTime",
  "publishedDateTime",
  "recommendedObjects",
  "recommendedAction",
];

export const recommendationsCommand = command(
  (kit) =>
    operationLeaf(kit, recommendations, {
      printsRows: true,
      fields: FIELDS,
      examples: [[
        "adsctl account recommendations -m US --json --fields recommendationType,recommendedObjects",
        "print their objects",
      ]],
    }),
  async (options, context) => {
    const input = await operationInput(recommendations, options);
    const profile = await connectProfile(options, context);
    const rows = await recommendations.run({ profile, signal: context.interruption.signal }, input);
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    if (rows.length === 0) await say("The platform has no recommendations for the account", context);
    return EXIT.done;
  },
);
