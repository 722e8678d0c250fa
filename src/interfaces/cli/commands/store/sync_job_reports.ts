import { jobReportsNamed, spellJobReport } from "../../../../account/runs/job_reports.ts";
import { type JobReportOutcome, syncJobReports } from "../../../../account/runs/sync_job_reports.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { chosenProfiles, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { askingToAddAccount } from "./asking_to_add_account.ts";
import { refuseOptionsOfReports, windowLines, windowSync } from "./window_sync.ts";

const COLUMNS = ["country_code", "profile_id", "report", "start", "end", "state", "rows"];

export interface JobReportSyncOptions {
  readonly market?: readonly string[] | undefined;
  /** Country codes or profile ids; all profiles without them. */
  readonly markets: readonly string[] | undefined;
  readonly allProfiles?: true;
  readonly except?: readonly string[] | undefined;
  readonly advertiser?: readonly string[] | undefined;
  readonly addAccount?: true;
  readonly store?: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly timeout?: number | undefined;
}

/** Stores reports that use separate APIs over the weeks that the store lacks. */
export async function runJobReportSync(
  words: readonly string[],
  options: JobReportSyncOptions,
  context: CliContext,
): Promise<number> {
  refuseOptionsOfReports(options, { except: ["market", "allProfiles"], what: "reports of --jobs" });
  const reports = jobReportsNamed(words);
  const { io, interruption: { signal } } = context;
  const { market: _, markets, ...rest } = options;
  const chosen: ManyProfilesOptions = { ...rest, ...(markets === undefined ? {} : { profiles: markets }) };
  const ads = await connectAds(context);
  const { profiles, unreachable } = await chosenProfiles(ads, chosen, context);
  const today = profiles[0]?.reports.today ?? dayOf(io.now());
  const nameOf = (one: JobReportOutcome): string =>
    [one.countryCode, one.profileId, spellJobReport(one.report), one.advertiser].filter((part) => part).join(
      " ",
    );
  const keyOf = (one: JobReportOutcome): string => `${nameOf(one)} ${one.start} to ${one.end}`;
  const { work, options: windows } = await windowSync(options, context, { today, keyOf });
  const store = await openStore({ ...options, create: true }, context);
  const outcomes = await askingToAddAccount(
    options,
    context,
    (addAccount) =>
      refusingBadInput(() =>
        syncJobReports(store, profiles, reports, {
          ...windows,
          addAccount,
          advertisers: options.advertiser,
        })
      ),
  );
  await work.end();
  const rows = outcomes.map(({ countryCode, profileId, report, advertiser, error, warning: _, ...more }) => ({
    country_code: countryCode,
    profile_id: profileId,
    report,
    ...more,
    advertiser: advertiser ?? null,
    error: error?.message ?? null,
  }));
  await printRows(rows, { columns: COLUMNS, fields: [...COLUMNS, "advertiser", "error"] }, context);
  const of = (state: JobReportOutcome["state"]) => outcomes.filter((one) => one.state === state);
  const [stored, found, failed, missing] = [of("stored"), of("found"), of("failed"), of("unavailable")];
  await say(
    outcomes.length === 0
      ? "Nothing to store: these days contain no whole week that is complete"
      : `${stored.length} of ${outcomes.length - missing.length} weeks requested and ` +
        `${
          stored.reduce((sum, one) => sum + one.rows, 0)
        } rows stored (${found.length} weeks were already stored) in ${store.location}`,
    context,
  );
  const lines = [
    ...missing.map((one) => `warning: ${nameOf(one)} is not available: ${one.error?.message}`),
    ...unreachable.map(({ name, reason }) => `error: ${name}: ${reason}`),
  ].map((line) => visibleText(line));
  for (const line of [...windowLines(outcomes, keyOf), ...lines]) await io.stderr.write(`${line}\n`);
  if (signal?.aborted) return EXIT.interrupted;
  const isNothing = missing.length > 0 && stored.length + found.length === 0;
  return failed.length + unreachable.length > 0 || isNothing ? EXIT.someFailed : EXIT.done;
}
