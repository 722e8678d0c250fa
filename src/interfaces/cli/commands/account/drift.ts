import { type AccountDrift, accountDrift } from "../../../../account/drift/account_drift.ts";
import { AccountFiles } from "../../../../account/files/account_files.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { knownStores } from "../../shell/plans/plan_folders.ts";
import type { Warehouse } from "../../../../store/warehouse/warehouse.ts";
import { openStore } from "../../shell/store/open_store.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import { parseMoment } from "../../shell/options/times.ts";
import { separated } from "../../shell/arguments/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { nameOf, type ProfileOutcomes, withProfiles } from "../../shell/connect/with_profiles.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { marketFrom } from "./diff.ts";
import { DRIFT_COLUMNS, DRIFT_FIELDS, driftRow, printDriftRows, sayCounts } from "./drift_rows.ts";
import { filesOfMany } from "./profile_files.ts";

export const driftCommand = command(
  (kit) =>
    kit.profilesLeaf("drift", {
      printsRows: true,
      each: "changes of each",
      summary: "Show changes since the last pull or plan, and which your plans made",
      details:
        "Matches each change in the history with your plans, and shows the plan and its note. All other changes " +
        "come from the console, another tool or the platform. --state also finds fields that the history does not " +
        "report, by comparing the account with its files. Platform rules written by schedules are compared with " +
        "the last written values. Sends nothing. Exit code 0 if your plans made every change, otherwise 6.",
      examples: [
        ["adsctl account drift -m CA --since -1", "show changes of the last 24 hours and their source"],
        [
          "adsctl account drift --all-profiles --cron '0 6 * * *' --store postgres://ads@db/ads",
          "let workers check every morning; --last shows the results",
        ],
        [
          "adsctl account drift -m CA --state ./account --ignore keywords.bid --json",
          "compare with the last pull, ignoring bids",
        ],
      ],
      library: 'await accountDrift(profile, { since, plans: [PlanStore.open("plans")] })',
      fields: DRIFT_FIELDS,
    })
      .option(
        "--since <moment>",
        "-N days or -Nh hours ago, a day, a time, pull (the last pull of --state) or plan (the last applied plan) " +
          "(default: the pull, else the plan)",
      )
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
      .option(
        "--ignore <names>",
        "kinds and fields to ignore: product-ads,keywords.bid",
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
      ),
  async (options, context) => {
    const { io, interruption } = context;
    if (options.last || options.enqueue || options.cron !== undefined) {
      const { runQueuedDrift } = await import("./queued_drift.ts");
      return await runQueuedDrift(options, context);
    }
    const moment = (timeZone?: string): number | "pull" | "plan" | undefined =>
      options.since === undefined || options.since === "pull" || options.since === "plan"
        ? options.since
        : parseMoment(options.since, { option: "--since", now: io.now(), timeZone, edge: "start" });
    // What cannot be read is refused before anything is sent.
    moment();
    const plans = [
      ...await knownStores(context),
      ...(options.plans ?? []).map((folder) => PlanStore.open(folder, { now: io.now })),
    ];
    const compare = (
      profile: ProfileClient,
      found: { files: AccountFiles | undefined; store: Warehouse | undefined },
    ): Promise<AccountDrift> =>
      refusingBadInput(() =>
        accountDrift(profile, {
          since: moment(profile.timeZone),
          plans,
          ...found,
          ignore: options.ignore,
          signal: interruption.signal,
        })
      );
    const store = options.store === undefined ? undefined : await openStore(options, context);
    if (isForMany(options)) {
      const filesOf = options.state === undefined ? undefined : await filesOfMany(options.state);
      return await withProfiles(options, context, {
        step: async (profile) => {
          const files = await filesOf?.(profile);
          return await compare(profile, {
            store,
            files: files instanceof AccountFiles ? files : undefined,
          });
        },
        done: (all) => printDrifts(all, context),
      });
    }
    const files = options.state === undefined ? undefined : await AccountFiles.load(options.state);
    const profile = await connectProfile(files === undefined ? options : marketFrom(options, files), context);
    return await printDrift(await compare(profile, { store, files }), context);
  },
);

async function printDrifts(
  { outcomes, ok }: ProfileOutcomes<AccountDrift>,
  context: CliContext,
): Promise<number> {
  const drifts = outcomes.flatMap((one) => "result" in one ? [one] : []);
  const rows = drifts.flatMap(({ profile, result: { entries } }) =>
    entries.map((entry) => ({ profile, entry }))
  );
  await printDriftRows(rows, context);
  for (const { profile, result } of drifts) await sayCounts(result, `${nameOf(profile)}: `, context);
  if (!ok) return EXIT.someFailed;
  return drifts.every(({ result: { isOurs } }) => isOurs) ? EXIT.done : EXIT.differences;
}

async function printDrift(drift: AccountDrift, context: CliContext): Promise<number> {
  await printRows(drift.entries.map(driftRow), {
    columns: DRIFT_COLUMNS,
    fields: DRIFT_FIELDS,
    main: "label",
  }, context);
  await sayCounts(drift, "", context);
  return drift.isOurs ? EXIT.done : EXIT.differences;
}
