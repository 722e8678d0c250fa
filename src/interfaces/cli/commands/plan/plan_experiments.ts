import { unitsText } from "../../../../plans/model/experiment.ts";
import { type BegunExperiment, experimentsIn } from "../../../../plans/store/running_experiments.ts";
import { readIfThere } from "../../../../base/runtime/read_named_file.ts";
import type { WeeksOfSchedule } from "../../../../automation/schedules/schedule_experiments.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";

export const experimentsCommand = command(
  (kit) =>
    kit.leaf("experiments", {
      printsRows: true,
      summary: "List running experiments of plans, rollouts and schedules",
      details:
        "Covers applied plans in this folder, the tool server's folder, rollouts and the folders you name, and " +
        "the schedules of a file. During an experiment, later plans do not change what it holds back. Schedules " +
        "pause in weeks chosen at random.",
      examples: [
        ["adsctl plan experiments", "list experiments and their end dates"],
        ["adsctl plan experiments --schedules nights.yaml", "include schedules from another file"],
      ],
      library: 'await experimentsIn("plans")',
    })
      .argument("[folders...]", "more plan folders")
      .addOption(onlyMarketsOption("plans"))
      .option("--schedules <file>", "schedule file (default: schedules.yaml, if it exists)"),
  async (folders, { schedules: file, market }, context) => {
    const { io, globals } = context;
    const places = new Set([...(await knownStores(context)).map(({ path }) => path), ...folders]);
    const now = io.now();
    const damaged: string[] = [];
    const begun = (await Promise.all(
      [...places].map((folder) => experimentsIn(folder, now, (path) => damaged.push(path))),
    )).flat().filter(isOfMarkets(market));
    begun.sort((a, b) => a.appliedAt < b.appliedAt ? 1 : -1);
    const weeks = await ofSchedules(file, context);
    const rows = [...begun.map(planRow), ...weeks.map(scheduleRow)];
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    for (const path of damaged) await say(`Skipped because it was edited or is damaged: ${path}`, context);
    if (!wantsData(context) && !globals.quiet) {
      const first = begun.find(({ state }) => state !== "undone");
      const command = first !== undefined
        ? ["plan", "outcome", first.rollout ?? first.planId]
        : weeks[0] !== undefined
        ? ["auto", "outcome", weeks[0].schedule]
        : undefined;
      await io.stderr.write(
        command === undefined
          ? "No plan holds anything back. To hold back a quarter, add --hold-back 25% when you plan\n"
          : `Did it work?\n  ${nextCommand(command, globals)}\n`,
      );
    }
    return EXIT.done;
  },
);

const COLUMNS = ["state", "until", "market", "held", "units", "applied", "note", "plan"];

const FIELDS = [
  ...COLUMNS,
  "type",
  "profile_id",
  "unit",
  "share",
  "seed",
  "applied_at",
  "held_ids",
];

function planRow(
  { planId, profileId, countryCode, note, appliedAt, until, state, experiment, rollout }: BegunExperiment,
): Record<string, unknown> {
  const { held, strata, unit, share, seed } = experiment;
  return {
    state,
    until,
    market: rollout === null ? countryCode : "",
    held: held.length,
    units: `${Object.keys(strata).length} ${unitsText(unit)}`,
    applied: appliedAt.slice(0, 10),
    note: note ?? "",
    plan: rollout ?? planId,
    type: rollout === null ? "plan" : "rollout",
    profile_id: rollout === null ? profileId : null,
    unit,
    share,
    seed,
    applied_at: appliedAt,
    held_ids: held,
  };
}

function scheduleRow(
  { schedule, from, until, state, weeks, off, isOn, seed }: WeeksOfSchedule,
): Record<string, unknown> {
  return {
    state,
    until,
    market: "",
    held: off,
    units: `${weeks} weeks`,
    applied: from,
    note: isOn === null ? "" : isOn ? "on this week" : "off this week",
    plan: `schedule ${schedule}`,
    type: "schedule",
    profile_id: null,
    unit: "week",
    share: off / weeks,
    seed,
    applied_at: null,
    held_ids: [],
  };
}

async function ofSchedules(
  file: string | undefined,
  { io, globals }: CliContext,
): Promise<WeeksOfSchedule[]> {
  const path = file ?? "schedules.yaml";
  if (file === undefined && await readIfThere(path) === undefined) return [];
  const { loadSchedules, scheduleExperiments } = await import("../../../../automation/schedules/mod.ts");
  try {
    return scheduleExperiments((await loadSchedules(path)).schedules, io.now());
  } catch (error) {
    if (file !== undefined || !(error instanceof ConfigurationError)) throw error;
    if (!globals.quiet) await io.stderr.write(`${error.message}\n`);
    return [];
  }
}
