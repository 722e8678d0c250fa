import { advertisersOf } from "../model/service.ts";
import { waiting, windowsText } from "./windows_text.ts";
import type { Unit } from "./unit.ts";

/** Stores the reports that have their own APIs. */
export const jobReports = {
  timedBy: "sync",
  run: async ({ profile, file, signal }, { store, poll }) => {
    const { jobReportsNamed, spellJobReport } = await import("../../../account/runs/job_reports.ts");
    const { syncJobReports } = await import("../../../account/runs/sync_job_reports.ts");
    const { jobReports = [] } = file;
    const own = advertisersOf(file, profile);
    const reports = jobReportsNamed(jobReports).filter(({ byAdvertiser }) => !byAdvertiser || own.length > 0);
    const outcomes = await syncJobReports(store, [profile], reports, {
      advertisers: own,
      signal,
      ...waiting(poll),
    });
    signal.throwIfAborted();
    const missing = outcomes.filter(({ state }) => state === "unavailable");
    const names = [...new Set(missing.map(({ report }) => spellJobReport(report)))];
    return windowsText(
      outcomes.filter((one) => !missing.includes(one)).map(({ report, ...one }) => ({
        ...one,
        name: spellJobReport(report),
      })),
      names.length === 0 ? [] : [`not available: ${names.join(", ")}`],
    );
  },
} satisfies Unit;
