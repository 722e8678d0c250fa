import { history, historyRow } from "../../../../operations/reads/history.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["time", "changeType", "what", "previousValue", "newValue", "entityType", "entityId"];
const FIELDS = [...COLUMNS, "campaignId", "adGroupId", "timestamp"];

export const historyCommand = command(
  (kit) =>
    operationLeaf<[], { limit?: number }>(kit, history, { fields: FIELDS, printsRows: true })
      .option("--limit <n>", "print at most this many", positiveInteger),
  async (options, context) => {
    const input = await operationInput(history, options);
    const profile = await connectProfile(options, context);
    const printer = rowPrinter({ columns: COLUMNS, fields: FIELDS, main: "what" }, context);
    let count = 0;
    await refusingBadInput(async () => {
      for await (const event of await history.run({ profile, signal: context.interruption.signal }, input)) {
        await printer.write([{ ...historyRow(event) }]);
        count++;
        if (count === options.limit) break;
      }
    });
    await printer.end();
    if (count === 0) await say("Nothing changed", context);
    return EXIT.done;
  },
);
