import { productProblems } from "../../../../operations/reads/product_problems.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["asin", "sku", "status", "reasons", "entity", "ad_id"];
const FIELDS = [...COLUMNS, "ad_group_id", "campaign_id"];

export const productProblemsCommand = command(
  (kit) => operationLeaf(kit, productProblems, { fields: FIELDS, printsRows: true }),
  async (options, context) => {
    const input = await operationInput(productProblems, options);
    const profile = await connectProfile(options, context);
    const { rows, note } = await productProblems.run({ profile, signal: context.interruption.signal }, input);
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    await say(note, context);
    return EXIT.done;
  },
);
