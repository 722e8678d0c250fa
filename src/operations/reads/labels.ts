import type { AccountLabel } from "../../account/jobs/account_labels.ts";
import { defineOperation } from "../model/operation.ts";
import type { ReadContext } from "./read_operation.ts";

/** A label with the numbers of its campaigns and ad groups. */
type LabelRow = Pick<AccountLabel, keyof AccountLabel> & {
  readonly campaigns: number;
  readonly adGroups: number;
};

export const accountLabels = defineOperation<ReadContext, readonly LabelRow[]>()({
  name: "account labels",
  effect: "read",
  tool: "list_labels",
  title: "List labels",
  summary: "List the account's labels and the entities that have them",
  details:
    "Labels are set on campaigns and ad groups in the platform's console; programs can only read them. A " +
    "policy can protect labelled entities: write a file with --out for its key labels_file, and write it " +
    "again when labels change.",
  brief:
    "Labels of the account behind the profile, with their campaigns and ad groups in all its countries. list_entities " +
    "and plan_bids take their names; only a person can change them, in the platform's console.",
  examples: [{ input: {}, about: "list labels with the number of campaigns and ad groups" }],
  library: "await readLabels(profile)",
  input: {},
  async run({ profile, signal }) {
    const { readLabels } = await import("../../account/jobs/account_labels.ts");
    return (await readLabels(profile, { signal })).map((label) => ({
      ...label,
      campaigns: label.campaignIds.length,
      adGroups: label.adGroupIds.length,
    }));
  },
});

/** Text of the `labels_file` of a policy, with the number of labels in it and of those that are on nothing. */
export interface LabelsFile {
  readonly text: string;
  readonly used: number;
  readonly unused: number;
}

/** JSON, which is valid YAML, keeps all digits of ids and needs no quoting rules for names. */
export function labelsFile(labels: readonly AccountLabel[]): LabelsFile {
  const ids = new Map<string, string[]>();
  for (const { name, campaignIds, adGroupIds } of labels) {
    ids.set(name, [...ids.get(name) ?? [], ...campaignIds, ...adGroupIds]);
  }
  // A policy refuses a label that is on nothing: it would protect nothing.
  const used = [...ids].filter(([, own]) => own.length > 0);
  return {
    text: `${JSON.stringify(Object.fromEntries(used), null, 2)}\n`,
    used: used.length,
    unused: ids.size - used.length,
  };
}
