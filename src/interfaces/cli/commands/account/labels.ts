import type { AccountLabel } from "../../../../account/jobs/account_labels.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["name", "labelId", "campaigns", "adGroups"];
const FIELDS = [...COLUMNS, "campaignIds", "adGroupIds"];

export const labelsCommand = command(
  (kit) =>
    kit.profileLeaf("labels", {
      summary: "List the account's labels and the entities that have them",
      details:
        "Labels are set on campaigns and ad groups in the platform's console; programs can only read them. A " +
        "policy can protect labelled entities: write a file with --out for its key labels_file, and write it " +
        "again when labels change.",
      examples: [
        ["adsctl account labels -m US", "list labels with the number of campaigns and ad groups"],
        ["adsctl account labels -m US --out labels.yaml", "write a file for labels_file in a policy"],
        [
          "adsctl account labels -m US --json --fields name,campaignIds",
          "print the campaigns of each label for a script",
        ],
      ],
      library: "await readLabels(profile)",
      fields: FIELDS,
    })
      .option("--out <file>", "new file for a policy"),
  async (options, context) => {
    const client = await connectProfile(options, context);
    const { readLabels } = await import("../../../../account/jobs/account_labels.ts");
    const labels = await readLabels(client, { signal: context.interruption.signal });
    if (options.out !== undefined) return await writeLabels(labels, options.out, context);
    const rows = labels.map((label) => ({
      ...label,
      campaigns: label.campaignIds.length,
      adGroups: label.adGroupIds.length,
    }));
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    if (labels.length === 0) await say("The account has no labels", context);
    return EXIT.done;
  },
);

/** Writes labels as JSON, which is valid YAML, keeps all digits of ids and needs no quoting rules for names. */
async function writeLabels(
  labels: readonly AccountLabel[],
  out: string,
  context: CliContext,
): Promise<number> {
  const ids = new Map<string, string[]>();
  for (const { name, campaignIds, adGroupIds } of labels) {
    ids.set(name, [...ids.get(name) ?? [], ...campaignIds, ...adGroupIds]);
  }
  // A policy refuses a label that is on nothing: it would protect nothing.
  const used = [...ids].filter(([, own]) => own.length > 0);
  if (!await fileSystem().createText(out, `${JSON.stringify(Object.fromEntries(used), null, 2)}\n`)) {
    throw new UsageError(`Cannot write "${out}": the file already exists. Choose another`);
  }
  const left = ids.size - used.length;
  await say(
    `Wrote ${used.length} labels to ${out}` + (left === 0 ? "" : `; ${left} are unused`),
    context,
  );
  return EXIT.done;
}
