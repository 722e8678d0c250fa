import { findWaste } from "../../../../operations/reads/find_waste.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { noSyncOption, storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { openSyncedStore } from "../store/open_synced_store.ts";

const COLUMNS = [
  "search_term",
  "clicks",
  "cost",
  "orders",
  "campaign",
  "ad_group",
  "campaign_id",
  "ad_group_id",
];

interface WasteOptions extends StoreOptions {
  readonly sync: boolean;
  readonly limit?: number;
}

export const reportWasteCommand = command(
  (kit) =>
    operationLeaf<[], WasteOptions>(kit, findWaste, { fields: COLUMNS, printsRows: true })
      .option("--limit <n>", "print at most this many", positiveInteger)
      .addOption(storeOption())
      .addOption(noSyncOption()),
  async (options, context) => {
    const input = await operationInput(findWaste, options);
    const profile = await connectProfile(options, context);
    const { figures, say, fetching } = await openSyncedStore(options, context);
    const { rows, note } = await fetching(() => findWaste.run({ profile, figures }, input));
    await printRows(rows.slice(0, options.limit), {
      columns: COLUMNS,
      name: "search_term",
      least: ["campaign_id", "ad_group_id", "ad_group"],
      units: { cost: "money" },
    }, context);
    if (rows.length === 0) say("No search term has that many clicks and that few orders");
    say(note);
    return EXIT.done;
  },
);
