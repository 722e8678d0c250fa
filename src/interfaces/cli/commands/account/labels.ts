import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { accountLabels, labelsFile } from "../../../../operations/reads/labels.ts";
import { command } from "../../shell/command.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["name", "labelId", "campaigns", "adGroups"];
const FIELDS = [...COLUMNS, "campaignIds", "adGroupIds"];

export const labelsCommand = command(
  (kit) =>
    operationLeaf<[], { out?: string }>(kit, accountLabels, {
      fields: FIELDS,
      examples: [
        ["adsctl account labels -m US --out labels.yaml", "write a file for labels_file in a policy"],
        [
          "adsctl account labels -m US --json --fields name,campaignIds",
          "print the campaigns of each label for a script",
        ],
      ],
    }).option("--out <file>", "new file for a policy"),
  async (options, context) => {
    const profile = await connectProfile(options, context);
    const rows = await accountLabels.run({ profile, signal: context.interruption.signal }, {});
    if (options.out !== undefined) {
      const { text, used, unused } = labelsFile(rows);
      if (!await fileSystem().createText(options.out, text)) {
        throw new UsageError(`Cannot write "${options.out}": the file already exists. Choose another`);
      }
      const left = unused === 0 ? "" : `; ${unused} are unused`;
      await say(`Wrote ${used} labels to ${options.out}${left}`, context);
      return EXIT.done;
    }
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    if (rows.length === 0) await say("The account has no labels", context);
    return EXIT.done;
  },
);
