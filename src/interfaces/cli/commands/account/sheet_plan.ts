import type { RowProblem } from "../../../../account/sheets/sheet_row.ts";
import type { SheetFile } from "../../../../account/tables/open_tables.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { type AllowedPlan, allowedPlan, DENIED_FIELD } from "../../../../operations/plans/write_operation.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { profileName } from "./profile_files.ts";
import { planRollout } from "../plan/rollout/plan_rollout.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany } from "../../shell/options/many_profiles.ts";
import {
  dividedHoldBack,
  holdBackOf,
  withExperimentOptions,
} from "../../shell/options/experiment_options.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { say } from "../../shell/output/write_text.ts";
import { sayPower } from "../../shell/power_of_plan.ts";
import { ALLOW_MISSING, finishAllowed, sayDenied } from "../../shell/finish_plan.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { countryOfMarket } from "../../shell/options/market_options.ts";
import { readingHints, withReadingOptions } from "../../shell/options/reading_options.ts";
import { readSheetFile } from "./sheet_files.ts";
const MAX_NAMED = 20;

export const sheetPlanCommand = command(
  (kit) =>
    withExperimentOptions(withReadingOptions(kit.profilesLeaf("plan", {
      each: "one plan per profile, in a rollout",
      summary: "Plan the changes in a sheet, without sending them",
      details:
        "Plans rows with create, update or archive in the column Operation; empty cells change nothing. For a new " +
        "campaign or ad group, use any text as its id, and use the same text in its children's rows. Lists every " +
        "unusable cell with row and column, and then plans nothing unless --skip-bad-rows is set.",
      examples: [
        ["adsctl sheet plan bulk.xlsx -m CA --out plan.json", "plan rows with an operation"],
        ["adsctl sheet plan bulk.csv -m CA --skip-bad-rows", "plan only the valid rows"],
      ],
      library: 'const { plan } = await planSheet(profile, { bytes, name: "bulk.xlsx" })',
    })))
      .argument(
        "<file>",
        "an .xlsx or .csv file in the platform's bulk format, or for many profiles a folder of sheets",
      )
      .option("--skip-bad-rows", "skip invalid rows and their children; exit code 3")
      .option(...ALLOW_MISSING)
      .option("--skip-denied", DENIED_FIELD.skip_denied.help)
      .option("--note <text>", "reason, saved in the plan")
      .option(
        "--out <path>",
        "file or folder for the plan (default: plan-<id>.json), or folder for a rollout (default: rollout)",
      ),
  async (file, options, context) => {
    const { planRequests, planSheet, readRequests } = await import(
      "../../../../account/sheets/plan_sheet.ts"
    );
    const { skipBadRows = false, allowMissing = false, note } = options;
    const hints = await readingHints(options, context);
    const holdBack = holdBackOf(options);
    const { signal } = context.interruption;
    const allowedOf = (plan: ChangePlan, profile: ProfileClient): Promise<AllowedPlan> =>
      allowedPlan(plan, { profile, signal }, { skip_denied: options.skipDenied });
    if (isForMany(options)) {
      const sheetOf = await sheetsOfMany(file);
      const { ofProfiles, inPlans } = dividedHoldBack(holdBack);
      let hasSkipped = false;
      const code = await planRollout({ ...options, note: note ?? `Sheet ${file}` }, context, {
        holdBack: ofProfiles,
        make: async (client) => {
          const sheet = await sheetOf(client);
          if (sheet === undefined) return { leftOut: `${file} has no sheet for it` };
          const { plan, problems } = await refusingBadInput(() =>
            planSheet(client, sheet, {
              skipBadRows,
              ...hints,
              note: note ?? `Sheet ${file}`,
              holdBack: inPlans,
              signal,
            })
          );
          hasSkipped ||= problems.length > 0 || !allowMissing && plan.missing.length > 0;
          const allowed = await allowedOf(plan, client);
          await sayDenied(allowed, context);
          return { plan: allowed.plan };
        },
      });
      return code === EXIT.done && hasSkipped ? EXIT.someFailed : code;
    }
    // What is wrong with the file is said before anything is asked.
    const countryCode = countryOfMarket(options, context);
    const read = await readRequests(await readSheetFile(file), { skipBadRows, ...hints, countryCode });
    const client = await connectProfile(options, context);
    const { plan, rows, ignored, problems, notices } = await refusingBadInput(() =>
      planRequests(client, read, {
        note: note ?? `Sheet ${file}`,
        holdBack,
        signal,
      })
    );
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
    const allowed = await allowedOf(plan, client);
    const code = await finishAllowed(allowed, {
      allowMissing,
      out: options.out,
      context,
      data: {
        rows,
        ignored_rows: ignored,
        notices,
        problems: problems.map(({ tab, row, header, message }) => ({ tab, row, column: header, message })),
      },
    });
    await sayPower(allowed.plan, context);
    if (allowed.plan.changes.length > 0) {
      const name = options.out ?? `plan-${allowed.plan.id}.json`;
      await say(
        `After applying it, get the outcome of each row:\n  ${
          nextCommand(["sheet", "result", file, name], context.globals)
        }`,
        context,
      );
    }
    return code === EXIT.done && problems.length > 0 ? EXIT.someFailed : code;
  },
);

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
