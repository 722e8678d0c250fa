import type { Command } from "@commander-js/extra-typings";
import type { AccountDrift } from "../../../../account/diff/account_drift.ts";
import { AccountFiles } from "../../../../account/files/account_files.ts";
import { drift } from "../../../../operations/reads/drift.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { nameOf, type ProfileOutcomes, withProfiles } from "../../shell/connect/with_profiles.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { marketFrom } from "./diff.ts";
import { DRIFT_COLUMNS, DRIFT_FIELDS, printDriftRows, printedRow, sayCounts } from "./drift_rows.ts";
import { filesOfMany, type NoFiles } from "./profile_files.ts";
import type { QueuedDriftOptions } from "./queued_drift.ts";

type DriftOptions = Pick<QueuedDriftOptions, keyof QueuedDriftOptions>;

type ProfileDrift = AccountDrift | NoFiles;

export const driftCommand = command(
  (kit) => {
    const doc = operationDoc(drift);
    const leaf = kit.profilesLeaf("drift", {
      ...doc,
      printsRows: true,
      each: "changes of each",
      examples: [
        ...doc.examples,
        [
          "adsctl account drift --all-profiles --cron '0 6 * * *' --store postgres://ads@db/ads",
          "let workers check every morning; --last shows the results",
        ],
        [
          "adsctl account drift -m CA --state ./account --ignore keywords.bid --json",
          "compare with the last pull, ignoring bids",
        ],
      ],
      fields: DRIFT_FIELDS,
    });
    // The types of commander cannot know options that are declared elsewhere.
    return addFields(leaf, drift.input)
      .option(
        "--state <folder>",
        "account files: start from their last pull, and find fields that the history does not report",
      )
      .option(
        "--store <place>",
        "synced store, to find changes that the history does not report",
      )
      .option(
        "--plans <folders>",
        "more plan folders, besides this one, the tool server's and rollouts",
        separated,
      )
      .option("--enqueue", "queue it for the workers of a PostgreSQL store, which keeps the results")
      .option(
        "--cron <time>",
        "repeat at this cron time in UTC (minute hour day month weekday); off stops it",
      )
      .option(
        "--last",
        "show the workers' last results without checking again",
      ) as unknown as Command<[], DriftOptions>;
  },
  async (options, context) => {
    const { io, interruption: { signal } } = context;
    const input = await operationInput(drift, options);
    if (options.last || options.enqueue || options.cron !== undefined) {
      const { runQueuedDrift } = await import("./queued_drift.ts");
      return await runQueuedDrift(options, context);
    }
    const plans = [
      ...await knownStores(context),
      ...(options.plans ?? []).map((folder) => PlanStore.open(folder, { now: io.now })),
    ];
    const store = options.store === undefined ? undefined : await openStore(options, context);
    const compare = (profile: ProfileClient, files: AccountFiles | undefined): Promise<AccountDrift> =>
      refusingBadInput(() => drift.run({ profile, signal, plans, files, store }, input));
    if (isForMany(options)) {
      const filesOf = options.state === undefined ? undefined : await filesOfMany(options.state);
      return await withProfiles(options, context, {
        step: async (profile) => {
          const files = await filesOf?.(profile);
          return files !== undefined && "leftOut" in files ? files : await compare(profile, files);
        },
        done: (all) => printDrifts(all, context),
      });
    }
    const files = options.state === undefined ? undefined : await AccountFiles.load(options.state);
    const profile = await connectProfile(files === undefined ? options : marketFrom(options, files), context);
    return await printDrift(await compare(profile, files), context);
  },
);

async function printDrifts(
  { outcomes, ok }: ProfileOutcomes<ProfileDrift>,
  context: CliContext,
): Promise<number> {
  const results = outcomes.flatMap((one) => "result" in one ? [one] : []);
  const drifts = results.flatMap(({ profile, result }) => "leftOut" in result ? [] : [{ profile, result }]);
  const rows = drifts.flatMap(({ profile, result: { entries } }) =>
    entries.map((entry) => ({ profile, entry }))
  );
  await printDriftRows(rows, context);
  for (const { profile, result } of drifts) await sayCounts(result, `${nameOf(profile)}: `, context);
  for (const { profile, result } of results) {
    if ("leftOut" in result) await say(`${nameOf(profile)}: left out: ${result.leftOut}`, context);
  }
  const isMissing = results.some(({ result }) => "leftOut" in result && result.isMissing);
  if (!ok || isMissing) return EXIT.someFailed;
  return drifts.every(({ result: { isOurs } }) => isOurs) ? EXIT.done : EXIT.differences;
}

async function printDrift(found: AccountDrift, context: CliContext): Promise<number> {
  await printRows(found.entries.map(printedRow), {
    columns: DRIFT_COLUMNS,
    fields: DRIFT_FIELDS,
    main: "label",
  }, context);
  await sayCounts(found, "", context);
  return found.isOurs ? EXIT.done : EXIT.differences;
}
