import type { Command } from "@commander-js/extra-typings";
import type { RowProblem } from "../../../../account/sheets/sheet_row.ts";
import type { SheetFile } from "../../../../account/tables/open_tables.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { InputOf } from "../../../../operations/model/field.ts";
import { readSheet, sheetPlan } from "../../../../operations/plans/sheet_plan.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { profileName } from "./profile_files.ts";
import { planRollout } from "../plan/rollout/plan_rollout.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import {
  dividedHoldBack,
  type ExperimentOptions,
  holdBackOf,
  TOUCH_EXPERIMENTS,
} from "../../shell/options/experiment_options.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { say } from "../../shell/output/write_text.ts";
import { sayPower } from "../../shell/power_of_plan.ts";
import { ALLOW_MISSING, finishAllowed, sayDenied } from "../../shell/finish_plan.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { countryOfMarket } from "../../shell/options/market_options.ts";
import { mapOf, type MapOptions, SAVE_MAP } from "../../shell/options/reading_options.ts";
import { readSheetFile } from "./sheet_files.ts";

const MAX_NAMED = 20;
const DOC = operationDoc(sheetPlan);

type SheetInput = InputOf<typeof sheetPlan.input>;

type SheetOptions =
  & Pick<ManyProfilesOptions, keyof ManyProfilesOptions>
  & MapOptions
  & ExperimentOptions
  & {
    readonly note?: string;
    readonly allowMissing?: true;
    readonly out?: string;
  };

export const sheetPlanCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.profilesLeaf("plan", {
        each: "one plan per profile, in a rollout",
        ...DOC,
        examples: [
          ["adsctl sheet plan bulk.xlsx -m CA --out plan.json", "plan rows with an operation"],
          ...DOC.examples,
        ],
      }),
      sheetPlan.input,
    )
      .option(...SAVE_MAP)
      .option(...TOUCH_EXPERIMENTS)
      .option(...ALLOW_MISSING)
      .option(
        "--out <path>",
        "file or folder for the plan (default: plan-<id>.json), or folder for a rollout (default: rollout)",
      ) as unknown as Command<[path: string], SheetOptions>,
  async (path, options, context) => {
    const note = options.note ?? `Sheet ${path}`;
    const map = await mapOf(options, context);
    const inputOf = async (file: SheetFile): Promise<SheetInput> => ({
      ...await operationInput(sheetPlan, options, { file, map }),
      note,
    });
    if (isForMany(options)) return await planMany(path, inputOf, { ...options, note }, context);
    const input = await inputOf(await readSheetFile(path));
    // What is wrong with the file is said before anything is asked.
    const read = await readSheet(input, { countryCode: countryOfMarket(options, context) });
    const profile = await connectProfile(options, context);
    const { signal } = context.interruption;
    const planned = await refusingBadInput(() => sheetPlan.run({ profile, signal, read }, input));
    const { plan, rows, ignored, problems, notices } = planned;
    await say(
      `Rows: ${rows} with an operation, ${ignored} without. Changes: ${plan.changes.length}`,
      context,
    );
    if (rows === 0) {
      await say(
        "No row has an operation: set the column Operation to update, create or archive",
        context,
      );
    }
    for (const notice of notices) await say(visibleText(notice), context);
    if (problems.length > 0) await say(await problemLines(problems), context);
    const { out, allowMissing = false } = options;
    const code = await finishAllowed(planned, {
      allowMissing,
      out,
      context,
      data: sheetPlan.data?.(planned) ?? {},
    });
    await sayPower(plan, context);
    if (plan.changes.length > 0) {
      const name = out ?? `plan-${plan.id}.json`;
      await say(
        `After applying it, get the outcome of each row:\n  ${
          nextCommand(["sheet", "result", path, name], context.globals)
        }`,
        context,
      );
    }
    return code === EXIT.done && problems.length > 0 ? EXIT.someFailed : code;
  },
);

async function planMany(
  path: string,
  inputOf: (file: SheetFile) => Promise<SheetInput>,
  options: SheetOptions & { readonly note: string },
  context: CliContext,
): Promise<number> {
  const { signal } = context.interruption;
  const { ofProfiles, inPlans } = dividedHoldBack(holdBackOf(options));
  const sheetOf = await sheetsOfMany(path);
  let hasSkipped = false;
  const code = await planRollout(options, context, {
    holdBack: ofProfiles,
    make: async (profile) => {
      const file = await sheetOf(profile);
      if (file === undefined) return { leftOut: `${path} has no sheet for it` };
      const input = await inputOf(file);
      const planned = await refusingBadInput(() =>
        sheetPlan.run({ profile, signal }, inPlans === undefined ? { ...input, hold_back: undefined } : input)
      );
      hasSkipped ||= planned.problems.length > 0 || !options.allowMissing && planned.plan.missing.length > 0;
      await sayDenied(planned, context);
      return { plan: planned.plan };
    },
  });
  return code === EXIT.done && hasSkipped ? EXIT.someFailed : code;
}

async function sheetsOfMany(
  path: string,
): Promise<(profile: ProfileClient) => Promise<SheetFile | undefined>> {
  if (!await fileSystem().isDirectory(path)) {
    const sheet = await readSheetFile(path);
    return () => Promise.resolve(sheet);
  }
  const names = await fileSystem().list(path);
  return async (profile) => {
    const own = [".xlsx", ".csv"].map((ending) => profileName(profile) + ending).find((name) =>
      names.includes(name)
    );
    return own === undefined ? undefined : await readSheetFile(fileSystem().join(path, own));
  };
}

async function problemLines(problems: readonly RowProblem[]): Promise<string> {
  const { problemText } = await import("../../../../account/sheets/sheet_problems_error.ts");
  const shown = problems.slice(0, MAX_NAMED).map((problem) => `  ${problemText(problem)}`);
  const more = problems.length > MAX_NAMED ? [`  and ${problems.length - MAX_NAMED} more`] : [];
  return [`Skipped, because they are invalid:`, ...shown, ...more].join("\n");
}
