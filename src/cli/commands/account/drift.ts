import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type AccountDrift, accountDrift } from "../../../account/drift/account_drift.ts";
import type { DriftEntry } from "../../../account/drift/drift_entry.ts";
import { AccountFiles } from "../../../account/files/account_files.ts";
import { PlanStore } from "../../../plans/store/plan_store.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { planStores } from "../../core/find_plan.ts";
import type { Warehouse } from "../../../store/warehouse.ts";
import { withStore } from "../../core/with_store.ts";
import { withProfile } from "../../core/with_profile.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { parseMoment } from "../../options/moments.ts";
import { separated } from "../../options/parse_values.ts";
import { printRows } from "../../output/print_rows.ts";
import { marketFrom } from "./diff.ts";

const COLUMNS = ["at", "by", "kind", "label", "change", "before", "after", "note"];
const FIELDS = [...COLUMNS, "id", "plan_id", "approved_by"];

/** Options of {@linkcode runDrift}. */
export interface DriftOptions extends MarketOptions {
  /** As typed: days or hours ago, a day, or a moment. */
  readonly since?: string;
  /** Folder of account files. */
  readonly state?: string;
  /** Where the store is. */
  readonly store?: string;
  /** Folders of plans. */
  readonly plans?: readonly string[];
  /** Kinds and fields that do not matter. */
  readonly ignore?: readonly string[];
}

/** `adsctl drift`. */
export function driftCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("drift", {
    summary: "Show what changed since the last pull or plan, and whether it was a plan of yours",
    details:
      "Each change of the history is matched with what your plans sent at that time: the plan and its note are named, and " +
      "everything else is not yours: the console, another tool, or the platform itself. With --state, fields that the " +
      "history does not report are found by comparing the account with its files as they were pulled. Nothing is sent. " +
      "Exit code 0 when everything is yours, 6 otherwise.",
    examples: [
      ["adsctl drift -m CA --since -1", "what changed in the last 24 hours, and by whom"],
      [
        "adsctl drift -m CA --state ./account --ignore sp.keywords.bid --json",
        "since the last pull, without bids",
      ],
    ],
    library: 'await accountDrift(profile, { since, plans: [PlanStore.open("plans")] })',
    fields: FIELDS,
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option(
      "--since <moment>",
      "-N days or -Nh hours ago, a day, or a moment (default: the last pull or applied plan)",
    )
    .option("--state <folder>", "account files: their last pull, and what the history does not report")
    .option(
      "--store <place>",
      "a store that sync keeps up to date: it shows what the history does not report",
    )
    .option("--plans <folders>", "folders of plans beside this one and the tool server's", separated)
    .option(
      "--ignore <names>",
      "kinds and fields that do not matter: sp.product_ads,sp.keywords.bid",
      separated,
    )
    .action((options, self) => kit.run((context) => runDrift(options, context), self));
}

/** Lists what changed, and by whom. */
export async function runDrift(options: DriftOptions, context: CliContext): Promise<number> {
  const { io, interruption } = context;
  const moment = (timeZone?: string): number | undefined =>
    options.since === undefined
      ? undefined
      : parseMoment(options.since, { option: "--since", now: io.now(), timeZone, edge: "start" });
  // What cannot be read is refused before anything is sent.
  moment();
  const files = options.state === undefined ? undefined : await AccountFiles.load(options.state);
  const stores = [
    ...planStores(context),
    ...(options.plans ?? []).map((folder) => PlanStore.open(folder, { now: io.now })),
  ];
  return await withProfile(
    files === undefined ? options : marketFrom(options, files),
    context,
    async (profile) => {
      const compare = (store?: Warehouse): Promise<AccountDrift> =>
        refusingBadInput(() =>
          accountDrift(profile, {
            since: moment(profile.timeZone),
            plans: stores,
            files,
            store,
            ignore: options.ignore,
            signal: interruption.signal,
          })
        );
      const print = async (drift: AccountDrift): Promise<number> => await printDrift(drift, context);
      return options.store === undefined
        ? await print(await compare())
        : await withStore(options, context, async (store) => await print(await compare(store)));
    },
  );
}

async function printDrift(drift: AccountDrift, context: CliContext): Promise<number> {
  const { io, globals } = context;
  await printRows(drift.entries.map(driftRow), { columns: COLUMNS, fields: FIELDS }, context);
  if (!globals.quiet) {
    const counts = Map.groupBy(drift.entries, ({ by }) => by);
    const shown =
      `${counts.get("plan")?.length ?? 0} by your plans, ${counts.get("platform")?.length ?? 0} by the ` +
      `platform, ${counts.get("other")?.length ?? 0} by somebody else`;
    await io.stderr.write(`Since ${drift.since}: ${drift.entries.length} changes, ${shown}\n`);
  }
  return drift.isOurs ? EXIT.done : EXIT.differences;
}

function driftRow({ plan, ...entry }: DriftEntry): Record<string, unknown> {
  return {
    ...entry,
    by: plan === null ? entry.by : `plan ${plan.planId}`,
    note: plan?.note ?? null,
    plan_id: plan?.planId ?? null,
    approved_by: plan?.approvedBy ?? null,
  };
}
