import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { unitsText } from "../../plans/experiment/experiment.ts";
import { experimentsIn } from "../../plans/experiment/running_experiments.ts";
import type { CommandKit } from "../core/command.ts";
import type { CliContext } from "../core/context.ts";
import { EXIT } from "../core/errors/exit_codes.ts";
import { knownStores } from "../core/plan_folders.ts";
import { printRows, wantsData } from "../output/print_rows.ts";
import { nextCommand } from "../text/shell_words.ts";

/** `adsctl experiments`. */
export function experimentsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("experiments", {
    summary: "List what applied plans hold back for comparison, and until when",
    details:
      "Of plans in this folder, that of the tool server, those of rollouts, and the folders that are named. While an experiment runs, " +
      "later plans leave alone what it holds back.",
    examples: [["adsctl experiments", "what runs until when"]],
    library: 'await experimentsIn("plans")',
  })
    .argument("[folders...]", "further folders of plans")
    .action((folders, _, self) => kit.run((context) => runExperiments(folders, context), self));
}

const COLUMNS = ["state", "until", "market", "held", "units", "applied", "note", "plan"];

/** Lists the experiments of plans. */
export async function runExperiments(folders: readonly string[], context: CliContext): Promise<number> {
  const { io, globals } = context;
  const places = new Set([...(await knownStores(context)).map(({ path }) => path), ...folders]);
  const now = io.now();
  const begun = (await Promise.all([...places].map((folder) => experimentsIn(folder, now)))).flat();
  begun.sort((a, b) => a.appliedAt < b.appliedAt ? 1 : -1);
  const rows = begun.map(({ planId, profileId, countryCode, note, appliedAt, until, state, experiment }) => ({
    state,
    until,
    market: countryCode,
    profile_id: profileId,
    held: experiment.held.length,
    units: `${Object.keys(experiment.strata).length} ${unitsText(experiment.unit)}`,
    unit: experiment.unit,
    share: experiment.share,
    seed: experiment.seed,
    applied: appliedAt.slice(0, 10),
    applied_at: appliedAt,
    note: note ?? "",
    plan: planId,
    held_ids: experiment.held,
  }));
  const fields = rows[0] === undefined ? COLUMNS : Object.keys(rows[0]);
  await printRows(rows, { columns: COLUMNS, fields }, context);
  if (!wantsData(context) && !globals.quiet) {
    const first = begun.find(({ state }) => state !== "undone");
    await io.stderr.write(
      first === undefined
        ? "No plan holds anything back. --hold-back 25% of a command that plans does\n"
        : `Did it work?\n  ${nextCommand(["plan", "outcome", first.planId], globals)}\n`,
    );
  }
  return EXIT.done;
}
