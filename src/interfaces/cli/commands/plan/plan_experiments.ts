import type { Command } from "@commander-js/extra-typings";
import { planExperiments } from "../../../../operations/reads/plan_experiments.ts";
import { unitsText } from "../../../../plans/model/experiment.ts";
import type { BegunExperiment } from "../../../../plans/store/running_experiments.ts";
import type { WeeksOfSchedule } from "../../../../automation/schedules/schedule_experiments.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { knownStores } from "../../shell/connect/plan_folders.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { printRows, wantsData } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";

export const experimentsCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("experiments", {
        printsRows: true,
        ...operationDoc(planExperiments),
        examples: [
          ["adsctl plan experiments", "list experiments and their end dates"],
          ["adsctl plan experiments --schedules nights.yaml", "include schedules from another file"],
        ],
      })
        .argument("[folders...]", "more plan folders")
        .addOption(onlyMarketsOption("plans")),
      planExperiments.input,
    ) as unknown as Command<[folders: string[]], { readonly market?: string[] }>,
  async (folders, options, context) => {
    const { io, globals } = context;
    const input = await operationInput(planExperiments, options);
    const places = new Set([...(await knownStores(context)).map(({ path }) => path), ...folders]);
    const { plans, schedules, problem, damaged } = await planExperiments.run(
      { folders: [...places], usualSchedules: "schedules.yaml", now: io.now() },
      input,
    );
    if (problem !== null && !globals.quiet) await io.stderr.write(`${problem}\n`);
    const begun = plans.filter(isOfMarkets(options.market));
    await printRows([...begun.map(planRow), ...schedules.map(scheduleRow)], {
      columns: COLUMNS,
      fields: FIELDS,
    }, context);
    for (const path of damaged) await say(`Skipped because it was edited or is damaged: ${path}`, context);
    if (!wantsData(context) && !globals.quiet) {
      const first = begun.find(({ state }) => state !== "undone");
      const command = first !== undefined
        ? ["plan", "outcome", first.rollout ?? first.planId]
        : schedules[0] !== undefined
        ? ["auto", "outcome", schedules[0].schedule]
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
