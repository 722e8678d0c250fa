import { asyncChunks } from "../../../../base/json/chunks.ts";
import { type BidsOperation, keywordBids, targetBids } from "../../../../operations/reads/suggested_bids.ts";
import { NEW_BIDS_COLUMNS, newBids } from "../../../../operations/reads/suggested_bids_new.ts";
import { command, group, type MakeCommand } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { printRows, rowPrinter } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const BATCH = 1000;

function bidsOf<Entity>(operation: BidsOperation<Entity>, more: readonly string[]): MakeCommand {
  const { noun, columns } = operation;
  const fields = [...columns, ...more, "theme", "campaignId", "adGroupId"];
  return command(
    (kit) => operationLeaf(kit, operation, { fields, printsRows: true }),
    async (options, context) => {
      const input = await operationInput(operation, options);
      const profile = await connectProfile(options, context);
      const printer = rowPrinter({ columns, fields }, context);
      let unsupported = 0;
      let count = 0;
      await refusingBadInput(async () => {
        const { entities, bidsOf } = await operation.run(
          { profile, signal: context.interruption.signal },
          input,
        );
        for await (const batch of asyncChunks(entities, BATCH)) {
          const found = await bidsOf(batch);
          unsupported += found.unsupported;
          count += batch.length;
          await printer.write(found.rows);
        }
      });
      await printer.end();
      if (count === 0) await say(`No ${noun} match`, context);
      if (unsupported > 0) {
        await say(`The platform has no suggested bids for ${unsupported} of these ${noun}`, context);
      }
      return EXIT.done;
    },
  );
}

const NEW_BIDS_FIELDS = [...NEW_BIDS_COLUMNS, "theme"];

const newCommand = command(
  (kit) => operationLeaf(kit, newBids, { fields: NEW_BIDS_FIELDS, printsRows: true }),
  async (options, context) => {
    const input = await operationInput(newBids, options);
    const profile = await connectProfile(options, context);
    const rows = await refusingBadInput(() =>
      newBids.run({ profile, signal: context.interruption.signal }, input)
    );
    await printRows(rows, { columns: NEW_BIDS_COLUMNS, fields: NEW_BIDS_FIELDS }, context);
    return EXIT.done;
  },
);

export const bidsCommand = group(
  "bids",
  {
    summary: "Get suggested bids from the platform",
    examples: [
      ["adsctl account bids keywords -m US --campaign-id 123", "get bids for the keywords of a campaign"],
      [
        "adsctl account bids new -m US --asin B0EXAMPLE1 --keyword 'trail shoes:EXACT'",
        "get bids for a planned ad group",
      ],
    ],
    library: "await profile.bids.forKeywords(keywords)",
  },
  [bidsOf(keywordBids, []), bidsOf(targetBids, ["supported"]), newCommand],
);
