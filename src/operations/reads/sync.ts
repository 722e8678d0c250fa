import { readDay } from "../../base/time/moment.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { namedReport } from "../../client/reports/requests/named_report.ts";
import { spellReport } from "../../client/reports/requests/presets.ts";
import {
  isSettled,
  PAGE_REPORTS,
  type SyncOptions,
  type SyncProgress,
} from "../../store/sync/sync_options.ts";
import type { SyncResult } from "../../store/sync/sync_result.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Fields, InputOf } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";

/** A store, its profiles, and callbacks for progress. */
export interface SyncContext extends Pick<SyncOptions, "addAccount" | "signal" | "onProgress" | "onWarning"> {
  readonly store: Warehouse;
  readonly profiles: readonly ProfileClient[];
}

const FIELDS = {
  reports: {
    type: "words",
    option: "report",
    help:
      "report names, types from adsctl report types, such as sdCampaigns:matchedTarget, or pages: those that " +
      "the console's pages read",
    brief: "Presets; default placement, targeting, search-terms",
    otherwise: "placement,targeting,search-terms",
  },
  entities: {
    type: "part",
    help: "store only entities, such as campaigns and keywords, and reports named by --report",
    brief: "Store campaigns and so on too (default)",
    orNot: "do not update stored entities",
  },
  hours: {
    type: "part",
    help: "store only the last 14 days by hour, as the stream does, and reports named by --report",
    brief: "Store the last 14 days by hour too",
  },
  months: {
    type: "part",
    help: "store only complete months by campaign, up to six years back, and reports named by --report",
    brief: "Also store six years by month",
  },
  source: {
    type: "choice",
    value: "how",
    choices: ["auto", "list", "export"],
    isRare: true,
    help: "read entities through lists or exports; auto chooses the cheaper",
    otherwise: "auto",
  },
  reporting: {
    type: "reporting",
    help:
      "old: old reports, which end in 2027 (default); new: new reports, which go back 15 months, for reports by name",
    brief: "1: 15 months back",
  },
  restate_days: {
    type: "whole",
    min: 0,
    isRare: true,
    help: "days to fetch again before the newest stored day",
    otherwise: "42",
  },
  start: {
    type: "day",
    help: "first day: YYYY-MM-DD, or -N days before today",
    brief: "YYYY-MM-DD",
    otherwise: "what is missing",
  },
  end: { type: "day", help: "last day", otherwise: "-1, yesterday in the profile's time zone" },
  accept_shrink: {
    type: "switch",
    help: "store reports with far fewer rows or less cost than before, and lists with far fewer entities; " +
      "otherwise they are held back",
    brief: "Store reports with far less data than before; ask the person first",
  },
  concurrency: { type: "whole", min: 1, isRare: true, help: "parallel requests", otherwise: "8" },
  timeout: {
    type: "whole",
    min: 1,
    value: "minutes",
    isRare: true,
    help: "after this many minutes, leave unfinished reports to the next sync",
    otherwise: "180",
  },
} as const satisfies Fields;

export type SyncInput = InputOf<typeof FIELDS>;

/** Updates the report store. */
export const sync = defineOperation<SyncContext, SyncResult>()({
  name: "sync",
  tool: "sync_reports",
  effect: "store",
  title: "Update stored reports",
  summary: "Update the local report store",
  details:
    "Run it every night, because the platform deletes reports after 60 to 95 days. Each run fetches missing " +
    "days, the last 42 days (which the platform may still restate), and the account: campaigns, ad groups, " +
    "keywords, targets, negatives, ads, portfolios and their changes. If one profile fails, the others " +
    "continue (exit code 3). With --all-profiles, a profile without access is an error on the first day and a " +
    "warning afterwards; it is retried daily, and --except skips it. If a report has far less data than what " +
    "is stored, the stored days are kept and listed (exit code 3). An interrupted sync resumes on the next " +
    "run.",
  brief:
    "Fetches missing and possibly restated data into the report store. Takes minutes and reports progress; " +
    "the next call resumes unfinished work.",
  examples: [
    { input: { entities: "only" }, about: "sync only the account (see adsctl store schema)" },
    { input: { hours: "only" }, about: "sync the last 14 days by hour, without a queue" },
    { input: { months: "only" }, about: "sync six years by month" },
    { input: { reporting: 1 }, about: "sync 15 months by day, longer than old reports" },
    { input: { reports: ["pages"] }, about: "sync what the console's pages read" },
  ],
  library: "const result = await store.sync([us, de])",
  input: FIELDS,
  async check({ reports, source, entities }, { field }) {
    if (reports?.length === 0) {
      throw new RangeError(`Cannot sync: ${field("reports")} is empty. Name a report, or leave it out`);
    }
    await reportNames(reports ?? []);
    if (source !== undefined && entities === false) {
      throw new TypeError(`Cannot use ${field("source")} without entities: it sets how they are read`);
    }
  },
  async run({ store, profiles, ...options }, input): Promise<SyncResult> {
    return await store.sync(profiles, { ...await syncOptions(input, profiles), ...options });
  },
});

/** Returns the library's options for a sync. Relative days use the time zone of the first profile. */
export async function syncOptions(input: SyncInput, profiles: readonly ProfileClient[]) {
  const today = profiles[0]?.reports.today;
  const reports = input.reports && await reportNames(input.reports);
  const part = (wanted: boolean | "only" | undefined) =>
    wanted === "only" && reports !== undefined ? true : wanted;
  const day = (name: "start" | "end") => today && input[name] && readDay(input[name], name, today);
  const { hours, months, timeout } = input;
  return {
    reports,
    entities: part(input.entities) ?? (hours !== "only" && months !== "only"),
    hours: part(hours),
    months: part(months),
    entitySource: input.source,
    reporting: input.reporting === 1 ? 1 as const : undefined,
    restateDays: input.restate_days,
    start: day("start"),
    end: day("end"),
    acceptShrink: input.accept_shrink,
    concurrency: input.concurrency,
    timeout: timeout === undefined ? undefined : timeout * 60,
  };
}

function reportNames(words: readonly string[]) {
  const names = words.flatMap((word): readonly string[] => word === "pages" ? PAGE_REPORTS : [word]);
  return Promise.all(names.map(async (word) => (await namedReport(word)).report));
}

export interface SyncPart {
  readonly name: string;
  readonly profile: { readonly profileId: string; readonly countryCode: string };
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly step: string;
  readonly seconds: number;
  readonly amount: number;
}

export function syncPartKey({ profileId, report, start, end }: SyncProgress): string {
  return `${profileId} ${report} ${start} ${end}`;
}

export function syncPart(event: SyncProgress): SyncPart {
  const { kind, profileId, countryCode, report, start, end, status, seconds, rows } = event;
  const settled = kind === "stored" || kind === "found" ? "done" : "failed";
  return {
    name: `${spellReport(report)} ${start} to ${end}`,
    profile: { profileId, countryCode },
    state: isSettled(event) ? settled : kind === "planned" ? "waiting" : "running",
    step: kind === "waiting" ? status.toLowerCase() : kind,
    seconds,
    amount: rows,
  };
}
