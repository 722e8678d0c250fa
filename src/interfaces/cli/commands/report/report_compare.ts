import { comparisonRows } from "../../../../account/jobs/comparison_rows.ts";
import { comparePeriods } from "../../../../operations/reads/compare_periods.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { noSyncOption, storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { sayNotes, whyOption } from "../../shell/output/write_text.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { openSyncedStore } from "../store/open_synced_store.ts";

const COLUMNS = [
  "by",
  "name",
  "campaign",
  "cost_before",
  "cost_after",
  "cost_change",
  "cost_share",
  "sales_change",
  "acos_before",
  "acos_after",
];

const UNITS = {
  cost_after: "money",
  cost_change: "signed money",
  sales_change: "signed money",
  acos_after: "share",
} as const;

interface CompareOptions extends StoreOptions {
  readonly sync: boolean;
  readonly limit?: number;
}

export const reportCompareCommand = command(
  (kit) =>
    operationLeaf<[], CompareOptions>(kit, comparePeriods, { printsRows: true })
      .option("--limit <n>", "rows per breakdown (default: 10)", positiveInteger)
      .addOption(storeOption())
      .addOption(noSyncOption())
      .addOption(whyOption()),
  async (options, context) => {
    const input = await operationInput(comparePeriods, options);
    const profile = await connectProfile(options, context);
    const { figures, say, fetching } = await openSyncedStore(options, context);
    const { comparison, sentence, heading, notes } = await fetching(() =>
      comparePeriods.run({ profile, figures }, input)
    );
    say(visibleText(sentence));
    say(heading);
    const rows = comparisonRows(comparison, { limit: options.limit ?? 10 });
    await printRows(rows.map((row) => ({ ...row })), {
      columns: COLUMNS,
      name: "name",
      least: ["campaign", "cost_share"],
      units: UNITS,
      isTotal: ({ by }) => by === "total",
    }, context);
    await sayNotes(notes, context, say);
    return EXIT.done;
  },
);
