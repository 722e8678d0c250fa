import { existsSync } from "node:fs";
import { addDays } from "../../../../../base/time/calendar.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import { importedAccount } from "../../../../../account/imports/imported_account.ts";
import { sheetOfPlan } from "../../../../../account/sheets/sheet_of_plan.ts";
import { planView } from "../../../../../plans/view/plan_view.ts";
import { normalizeCountry } from "../../../../../base/markets/markets.ts";
import type { ReportPresetName } from "../../../../../client/reports/requests/presets.ts";
import { filePulls } from "../../../../../store/figures/file_pulls.ts";
import type { Warehouse } from "../../../../../store/warehouse/warehouse.ts";
import { connectImported } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../../shell/io/cli_error.ts";
import { openStore } from "../../../shell/connect/open_store.ts";
import { isForMany } from "../../../shell/options/many_profiles.ts";
import { wantedMarket } from "../../../shell/options/market_options.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { say, sayNotes, writeText } from "../../../shell/output/write_text.ts";
import { planText } from "../../../shell/output/plan_text.ts";
import { writeSheetFile } from "../../account/sheet_files.ts";
import { jobData, summary } from "./job_text.ts";
import type { Job, JobOptions } from "./job.ts";

const SHOWN = 40;

/**
 * Uses imported files and writes the changes as a bulk sheet. Figures and the attribution lag count from the last day
 * of the files, because their download time is unknown.
 */
export async function runFromFiles<Result extends JobResult>(
  options: JobOptions,
  context: CliContext,
  job: Job<Result> & { readonly fileReports: readonly ReportPresetName[] },
): Promise<number> {
  refuseOthers(options);
  const market = wantedMarket(options, context);
  const store = await openStore(options, context);
  const { profileId, reports, today } = await storedFiles(store, { market, wanted: job.fileReports });
  const { copy, entities } = await importedAccount(store, profileId);
  const ads = await connectImported(context, { copy, store });
  const client = await ads.profile(profileId);
  const { signal } = context.interruption;
  const figures = { store, sync: false as const, today, signal, reports };
  const result = await refusingBadInput(() => job.run(client, figures));
  const { plan } = result;
  const { bytes, rows, left } = sheetOfPlan(plan, entities);
  const isEmpty = Object.keys(rows).length === 0;
  const file = options.out ?? `bulk-${plan.id}.xlsx`;
  if (!isEmpty) await writeSheetFile(file, bytes);
  // An emulator played the account, so nothing was rehearsed: the sheet is for the account itself.
  const more = await job.after(result);
  const view = { ...planView(plan, wantsData(context) ? {} : { limit: SHOWN }), rehearsal: null };
  if (wantsData(context)) {
    await printJson(
      {
        ...view,
        ...jobData(result),
        ...job.data(result),
        sheet: isEmpty ? null : file,
        not_in_sheet: left.length,
      },
      context,
    );
    return EXIT.done;
  }
  await sayNotes(summary(result), context);
  await say("", context);
  await writeText(
    planText(view, { limit: SHOWN }, context),
    context,
  );
  for (const line of [...more, ...job.lines(result)]) await say(line, context);
  if (left.length > 0) {
    await say(`Not in the sheet, which has no columns for it: ${left.length} changes`, context);
  }
  const count = Object.entries(rows).map(([tab, length]) => `${length} rows of ${tab}`).join(", ");
  await say(
    isEmpty
      ? "Nothing to change, so no sheet was written"
      : `\nWrote ${
        visibleText(file)
      }: ${count}. Nothing was sent: upload it in the console under bulk operations`,
    context,
  );
  return EXIT.done;
}

function refuseOthers(options: JobOptions): void {
  const { out } = options;
  if (isForMany(options)) {
    throw new UsageError("Cannot use --from-files for many profiles: name one market with -m");
  }
  if (options.holdBack !== undefined) {
    throw new UsageError("Cannot use --hold-back with --from-files: there is no record of what was uploaded");
  }
  if (out === undefined) return;
  if (!/\.xlsx$/i.test(out)) {
    throw new UsageError(
      `Cannot write "${out}": with --from-files the result is a bulk sheet, an .xlsx file`,
    );
  }
  if (existsSync(out)) {
    throw new UsageError(`Cannot write "${out}": the file already exists. Choose another --out`);
  }
}

async function storedFiles(
  store: Warehouse,
  { market, wanted }: { market: string; wanted: readonly ReportPresetName[] },
): Promise<{ profileId: string; reports: ReadonlySet<string>; today: string }> {
  const pulls = (await filePulls(store)).filter(({ profileId, countryCode }) =>
    profileId === market || countryCode === normalizeCountry(market)
  );
  const own = pulls.filter(({ report }) => wanted.some((one) => one === report));
  const [first] = own;
  if (first === undefined) {
    const others = [...new Set(pulls.map(({ report }) => report))];
    throw new UsageError(
      `Cannot plan from files: no file of ${
        wanted.join(" or ")
      } of ${market} is stored in ${store.location}` +
        (others.length === 0 ? "" : `, only ${others.join(", ")}`) + '. Add one with "adsctl import"',
    );
  }
  const profiles = [...new Set(pulls.map(({ profileId }) => profileId))];
  if (profiles.length > 1) {
    throw new UsageError(`Cannot choose a profile of ${market}: name one of ${profiles.join(", ")} with -m`);
  }
  const ends = [...Map.groupBy(own, ({ report }) => report).values()].map((of) =>
    of.map(({ end }) => end).sort().at(-1)!
  );
  return {
    profileId: first.profileId,
    reports: new Set(own.map(({ report }) => report)),
    today: addDays(ends.sort()[0]!, 1),
  };
}
